/** `npm run check`: everything that can be said about the code without running it. Turbo repeats only what could have changed. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgetReports, isGood, totalLine, writeReport } from './reports.ts';
import { runCommand } from './run-command.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUMMARIES = path.join(ROOT, '.turbo', 'runs');

/** Each workspace is linted by itself: the types of everything at once are more than the heap of one process may hold. */
const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const TASKS = ['lint', ...Object.keys(scripts).filter((name) => name.startsWith('check:'))];
/** Types take up to 2 GB in each process. */
const PROCESSES = Math.min(Math.max(os.availableParallelism(), 2), 4);

interface Summary {
  readonly tasks: readonly { readonly taskId: string; readonly execution?: { readonly exitCode: number } }[];
}

fs.rmSync(SUMMARIES, { recursive: true, force: true });
const { ok } = await runCommand(
  path.join(ROOT, 'node_modules', '.bin', 'turbo'),
  [
    'run',
    ...TASKS,
    '--continue',
    `--concurrency=${PROCESSES}`,
    '--output-logs=errors-only',
    '--summarize',
    '--no-update-notifier',
  ],
  { cwd: ROOT, output: 'show', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' } },
);
const ends = fs
  .globSync('*.json', { cwd: SUMMARIES })
  .flatMap((file) => (JSON.parse(fs.readFileSync(path.join(SUMMARIES, file), 'utf8')) as Summary).tasks)
  .map(({ execution }) => execution?.exitCode === 0);
const passed = ends.filter(Boolean).length;
// A run that broke without a task that failed is one failure.
const report = { kind: 'check', passed, failed: Math.max(ends.length - passed, ok ? 0 : 1) };
forgetReports(ROOT, 'check');
writeReport(ROOT, report);
terminal.say(totalLine([report]));
process.exitCode = isGood([report]) ? 0 : 1;

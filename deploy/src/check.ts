/** `npm run check`: everything that can be said about the code without running it. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGood, totalLine, writeReport, forgetReports } from './reports.ts';
import { runCommand } from './run-command.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const tool = (command: string, ...args: readonly string[]): Step => ({ name: command, command, args });

const lint = (part: string, ...args: readonly string[]): Step => ({
  name: `eslint of ${part}`,
  command: 'eslint',
  args: ['--max-warnings=0', ...args],
});

/** Two at a time; the slow ones first. */
const STEPS: readonly Step[] = [
  // In parts: the types of everything at once are more than the heap of one process may hold.
  lint('services', 'services'),
  lint('packages', 'packages'),
  lint('the rest', '.', '--ignore-pattern=services', '--ignore-pattern=packages'),
  tool('tsc', '-b'),
  // The description is made of the sources.
  { name: 'redocly', command: process.execPath, args: ['--conditions=source', 'deploy/src/lint-description.ts'] },
  tool('knip', '--no-progress'),
  tool('depcruise', 'packages', 'services', 'deploy', 'test', '--output-type=err'),
  tool('cspell', '--no-progress', '--no-summary', '--gitignore', '.'),
  tool('prettier', '--check', '--log-level=warn', '.'),
  { name: 'generated', command: process.execPath, args: ['--conditions=source', 'deploy/src/generate.ts', '--check'] },
  { name: 'chart-readme', command: process.execPath, args: ['deploy/src/chart-readme.ts', '--check'] },
  { name: 'docs-paths', command: process.execPath, args: ['deploy/src/docs-paths.ts'] },
];

const failed: string[] = [];
const waiting = [...STEPS];
await Promise.all([work(), work()]);

const report = { kind: 'check', passed: STEPS.length - failed.length, failed: failed.length };
forgetReports(ROOT, 'check');
writeReport(ROOT, report);
if (failed.length > 0) terminal.complain(`\nNot green: ${failed.join(', ')}`);
terminal.say(totalLine([report]));
process.exitCode = isGood([report]) ? 0 : 1;

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await runStep(step);
}

async function runStep({ name, command, args }: Step): Promise<void> {
  const program = path.isAbsolute(command) ? command : path.join(ROOT, 'node_modules', '.bin', command);
  const startedAt = performance.now();
  const { ok, output } = await runCommand(program, args, { cwd: ROOT, output: 'keep', env: process.env });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  terminal.say(`${ok ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
  if (ok) return;
  failed.push(name);
  terminal.complain(output);
}

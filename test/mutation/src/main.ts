import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { HELP, readCommand, type Command } from './command.ts';
import { LEAST_SHARE, type MutationReport, type Score, scoreOf, shareOf, tableOf } from './score.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Not in the lock file: it is 147 packages that nothing else needs. */
const STRYKER = ['core', 'jest-runner'].map((name) => `--package=@stryker-mutator/${name}@10.0.0`);

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

process.exitCode = await run();

/** Resolves with the exit code. */
async function run(): Promise<number> {
  let command: Command;
  try {
    command = readCommand(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  if (command.kind === 'help') {
    say(HELP);
    return 0;
  }
  const scores: Score[] = [];
  for (const area of command.areas) {
    say(`Changing the code of ${area}`);
    const score = await scored(area);
    if (score !== undefined) scores.push(score);
  }
  say(tableOf(scores));
  const isMet = scores.length === command.areas.length && scores.every((score) => shareOf(score) >= LEAST_SHARE);
  return isMet ? 0 : 1;
}

/** The score of an area; undefined where Stryker failed, which it says itself. */
async function scored(area: string): Promise<Score | undefined> {
  const report = path.join(ROOT, 'test/mutation/reports', `${area}.json`);
  rmSync(report, { force: true });
  const bin = path.join(ROOT, 'node_modules/.bin');
  const stryker = spawn(
    'npm',
    ['exec', '--yes', ...STRYKER, '--', 'stryker', 'run', 'test/mutation/stryker.config.js'],
    {
      cwd: ROOT,
      env: { ...process.env, MUTATION_AREA: area, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` },
      stdio: 'inherit',
    },
  );
  const [code] = (await once(stryker, 'exit')) as [number | null];
  if (code !== 0) return undefined;
  return scoreOf(area, JSON.parse(readFileSync(report, 'utf8')) as MutationReport);
}

/** `npm run test:failure`: breaks a whole installation under load, one fault after the other, and counts every alert and page. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endCommands } from '@tocsin/test-e2e/cluster';
import { MissingPartError } from '@tocsin/testkit';
import { balanced } from './balance.ts';
import { HELP, readCommand } from './command-line.ts';
import { Engines } from './engines.ts';
import { FailureRun } from './failure-run.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { NodeNetwork } from './node-network.ts';
import { seconds } from './problems.ts';
import type { Skipped } from './report.ts';
import { Results } from './results.ts';
import { Services } from './services.ts';
import { Sinks } from './sinks.ts';

const REPORTS = fileURLToPath(new URL('../reports', import.meta.url));
const LOGS = path.join(REPORTS, 'logs');
const RECORD = path.join(LOGS, 'record.json');

const startedAt = performance.now();
const stops: (() => Promise<unknown>)[] = [];
/** What writes the table of the run that is under way. */
let writeStopped: (() => void) | undefined;
const reading = readCommand(
  process.argv.slice(2),
  FAULTS.map(({ name }) => name),
  path.join(REPORTS, 'failure.md'),
);
process.exit('problem' in reading ? refused(reading.problem) : await carriedOut(reading.command));

function refused(problem: string): number {
  process.stderr.write(`${problem}\nnpm run test:failure -- --help says more.\n`);
  return 2;
}

async function carriedOut(command: Extract<typeof reading, { command: unknown }>['command']): Promise<number> {
  if (command.kind === 'help') {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  if (command.kind === 'list') {
    for (const { name, needsRoot, title } of FAULTS)
      process.stdout.write(`${name.padEnd(32)} ${title}${needsRoot === true ? ' (needs root)' : ''}\n`);
    return 0;
  }
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
      process.on(signal, () => {
        resolve('stopped');
      });
  });
  const failed = (error: unknown): readonly string[] => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return ['the run failed'];
  };
  const outcome = await Promise.race([run(command).catch(failed), stopped]);
  if (outcome === 'stopped') {
    say('stopped: ending what runs');
    writeStopped?.();
    endCommands();
  }
  for (const stop of stops.splice(0).reverse()) await stop().catch(complain);
  return outcome === 'stopped' ? 130 : outcome.length === 0 ? 0 : 1;
}

function complain(error: unknown): void {
  say(String(error));
}

/** Resolves with the bars that are missed. */
async function run(command: {
  readonly faults: readonly string[];
  readonly rate: number;
  readonly report: string;
}): Promise<readonly string[]> {
  const isIsolated = await NodeNetwork.isPossible();
  const chosen = FAULTS.filter(({ name }) => command.faults.includes(name)).sort(
    (a, b) => command.faults.indexOf(a.name) - command.faults.indexOf(b.name),
  );
  const skipped = await skippedOf(chosen, isIsolated);
  const names = new Set(skipped.map(({ name }) => name));
  const broken: string[] = [];
  const results = new Results({ report: command.report, record: RECORD }, { machine: machine(), skipped });
  const failureRun = await started(isIsolated, command.rate);
  writeStopped = () => {
    results.write(failureRun.record, 'stopped');
  };
  try {
    await failureRun.begin();
    for (const fault of chosen.filter(({ name }) => !names.has(name))) {
      await failureRun.breakBy(fault);
      say(`  ${summary(failureRun)}`);
      results.write(failureRun.record, 'under way');
    }
  } catch (error) {
    broken.push(`the run failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  await failureRun.finish().catch((error: unknown) => broken.push(`the end of the run failed: ${String(error)}`));
  const missed = results.write(failureRun.record, 'ended', broken);
  process.stdout.write(`\n${fs.readFileSync(command.report, 'utf8')}\nThe table is in ${command.report}.\n`);
  return missed;
}

/** Obtains what the faults need. Those of which something is missing are skipped. */
async function skippedOf(faults: readonly Fault[], isIsolated: boolean): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = [];
  for (const fault of faults) {
    const { name, needsRoot } = fault;
    if (needsRoot === true && !isIsolated) {
      skipped.push({ name, reason: 'it needs root on Linux with `ip`' });
      continue;
    }
    await fault.prepare?.().catch((error: unknown) => {
      if (!(error instanceof MissingPartError)) throw error;
      skipped.push({ name, reason: error.message });
    });
  }
  return skipped;
}

async function started(isIsolated: boolean, rate: number): Promise<FailureRun> {
  fs.rmSync(LOGS, { recursive: true, force: true });
  const name = `f${Date.now().toString(36)}`;
  say('starting three brokers and three members of MongoDB');
  const engines = await Engines.start(isIsolated, stops);
  const sinks = await Sinks.start(name);
  stops.push(() => sinks.stop());
  const services = await Services.prepare(engines, sinks, LOGS);
  stops.push(() => services.stop());
  say('starting two processes of each service');
  await services.start();
  return new FailureRun({ engines, services, sinks }, { run: name, rate, say });
}

/** The last fault in one line. */
function summary({ record }: FailureRun): string {
  const row = balanced(record).at(-1);
  if (row === undefined) return '';
  const { accepted, missing, recoveryMs, refusals, twice, worstMs, wrong } = row;
  const recovery = recoveryMs === undefined ? 'no recovery' : `recovery ${seconds(recoveryMs)}`;
  return `${accepted} accepted, ${refusals} requests refused, ${missing.length} pending, ${wrong.length} wrong, ${twice.length} twice, worst page ${seconds(worstMs)}, ${recovery}`;
}

function machine(): string {
  const { model = 'unknown' } = os.cpus()[0] ?? {};
  const gib = Math.round(os.totalmem() / 2 ** 30);
  const args = process.argv.slice(2).join(' ');
  return `\`npm run test:failure${args === '' ? '' : ` -- ${args}`}\` on ${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} processors (${model}), ${gib} GiB, Node ${process.versions.node}.`;
}

function say(line: string): void {
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`);
}

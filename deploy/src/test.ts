/**
 * `npm test`: every test of the repository but the fuzz, on engines that this starts and stops. Names of phases run those alone,
 * `every` runs all with the fuzz. `--deep` takes longer: all kills, and 20 times as many cases of each property. `e2e`,
 * `cluster` and `failure` are runs of their own, which take the arguments behind them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDataFolder } from '@tocsin/testkit';
import { DataFolder } from './data-folder.ts';
import { runKafka, runMongo } from './engines.ts';
import {
  failureLines,
  forgetReports,
  isGood,
  readReports,
  slowestLines,
  sumsByKind,
  totalLine,
  writeReport,
} from './reports.ts';
import { runCommand } from './run-command.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { explained, TroubleError } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Each is a task of turbo, of so many workspaces at a time; turbo keeps the reports of unit and integration, and repeats those that could have changed. Those on real
 * engines run one after the other: callers of a whole installation are answered within bounds of seconds. Unit tests run beside all of them, and give way: they take the
 * processor time that those leave while they wait. So do those of the chart, which need Helm and promtool alone. What is answered judges what all others left behind, so
 * it comes last, and only where all others ran. Fuzzing takes minutes: it runs where it is asked for, as `.ci/run` does.
 */
const PHASES = {
  unit: { concurrency: '2', niceness: '10', engines: false },
  chart: { concurrency: '1', niceness: '10', engines: false },
  acceptance: { concurrency: '1', niceness: '0', engines: true },
  clients: { concurrency: '1', niceness: '0', engines: true },
  console: { concurrency: '1', niceness: '0', engines: true },
  integration: { concurrency: '3', niceness: '0', engines: true },
  answered: { concurrency: '1', niceness: '0', engines: false },
  fuzz: { concurrency: '1', niceness: '0', engines: true },
} as const;
type Phase = keyof typeof PHASES;
const LAST = 'answered' satisfies Phase;
/** In place of names: all phases. */
const EVERY = 'every';
/** Runs on containers, on a cluster, and under faults: each starts what it needs, and writes its own report. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['e2e', 'test/e2e/src/run.ts'],
  ['cluster', 'test/e2e/cluster/src/main.ts'],
  ['failure', 'test/failure/src/main.ts'],
]);
const DEEP = '--deep';

const ending = new AbortController();
const stops: (() => Promise<void>)[] = [];
const ends: { readonly test: string; readonly text: string }[] = [];
/** How long each phase took, in the order of their ends. */
const took: string[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.on(signal, () => {
    ending.abort();
  });
}
try {
  const [first = '', ...others] = process.argv.slice(2);
  const program = PROGRAMS.get(first);
  if (program === undefined) await run(chosenPhases(process.argv.slice(2)));
  else process.exitCode = await runProgram(program, others);
} catch (error) {
  terminal.complain(explained(error));
  process.exitCode = 1;
} finally {
  await Promise.all(stops.map((stop) => stop()));
}
process.exit();

function chosenPhases(args: readonly string[]): readonly Phase[] {
  if (args.includes(DEEP)) process.env['DEEP_TESTS'] = '1';
  const names = args.filter((arg) => arg !== DEEP);
  const all = Object.keys(PHASES) as Phase[];
  if (names.length === 1 && names[0] === EVERY) return all;
  const first: readonly string[] = all.filter((phase) => phase !== LAST);
  const unknown = names.filter((name) => !first.includes(name));
  if (unknown.length > 0)
    throw new TroubleError(
      `There are no tests ${unknown.join(', ')}; there are ${[...first, EVERY].join(', ')}, and alone ${[...PROGRAMS.keys()].join(', ')}.`,
    );
  return all.filter((phase) => (names.length === 0 ? phase !== 'fuzz' : names.includes(phase)));
}

async function run(phases: readonly Phase[]): Promise<void> {
  forgetReports(ROOT);
  const needEngines = phases.some((phase) => PHASES[phase].engines);
  const environment = needEngines ? await startEngines() : {};
  const whole = await runPhases(phases, environment);
  let reports = readReports(ROOT);
  if (!whole && isGood(reports)) {
    // A runner that broke without a failed test to show for it.
    writeReport(ROOT, { kind: 'runner', passed: 0, failed: 1 });
    reports = readReports(ROOT);
  }
  terminal.say();
  // Of a run that is stopped at a limit of time, only the end may be kept: it says where the time went.
  if (ending.signal.aborted)
    for (const line of ['Stopped. The slowest files:', ...slowestLines(reports, 20)]) terminal.say(line);
  for (const line of failureLines(reports)) terminal.say(line);
  for (const line of took) terminal.say(line);
  for (const { kind, passed, failed } of sumsByKind(reports))
    terminal.say(`${kind}: ${passed} passed, ${failed} failed`);
  terminal.say(totalLine(reports));
  process.exitCode = isGood(reports) ? 0 : 1;
}

/** Resolves with the exit code of the program. The signals that end this process end it first, so that it removes what it started. */
async function runProgram(script: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, path.join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  ending.signal.addEventListener('abort', () => child.kill());
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/** Resolves with whether all phases went well. */
async function runPhases(phases: readonly Phase[], engines: Readonly<Record<string, string>>): Promise<boolean> {
  const onEngines = phases.filter((phase) => PHASES[phase].engines);
  const others = phases.filter((phase) => !PHASES[phase].engines && phase !== LAST);
  const ended = await Promise.all([inTurn(onEngines, engines), ...others.map((phase) => runPhase(phase, engines))]);
  if (phases.includes(LAST) && !ending.signal.aborted) ended.push(await runPhase(LAST, engines));
  return ended.every(Boolean);
}

async function inTurn(phases: readonly Phase[], engines: Readonly<Record<string, string>>): Promise<boolean> {
  let whole = true;
  for (const phase of phases) {
    if (ending.signal.aborted) return false;
    whole = (await runPhase(phase, engines)) && whole;
  }
  return whole;
}

async function runPhase(phase: Phase, engines: Readonly<Record<string, string>>): Promise<boolean> {
  const { concurrency, niceness } = PHASES[phase];
  terminal.say(`\nTests: ${phase}`);
  const beganAt = performance.now();
  const args = [
    '-n',
    niceness,
    path.join(ROOT, 'node_modules', '.bin', 'turbo'),
    'run',
    phase,
    '--continue',
    `--concurrency=${concurrency}`,
    '--output-logs=new-only',
    '--no-update-notifier',
  ];
  const { ok } = await runCommand('nice', args, {
    cwd: ROOT,
    output: 'show',
    signal: ending.signal,
    env: {
      ...process.env,
      ...engines,
      TURBO_TELEMETRY_DISABLED: '1',
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    },
  });
  const line = `Tests: ${phase} took ${Math.round((performance.now() - beganAt) / 1_000)} s`;
  terminal.say(line);
  took.push(line);
  return ok;
}

/** A Kafka and a MongoDB for all tests of this run, unless the caller has named theirs. */
async function startEngines(): Promise<Record<string, string>> {
  const result = readSettings(process.env, [], ROOT);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  const { dataFolder, kafkaBrokers, mongoUri } = result.settings;
  const { downloads } = new DataFolder(dataFolder);
  const scratch = new DataFolder(await testDataFolder('tocsin-test-'), downloads);
  const reports = {
    say: (line: string): void => {
      terminal.say(line);
    },
    started: (): void => undefined,
    // No failure by itself: the tests that it cut show whether it mattered, and this says why.
    ended: (engine: string, text: string): void => {
      ends.push({ test: `${engine}, on which the tests ran, ended at ${new Date().toISOString()}`, text });
      writeReport(ROOT, { kind: 'engines', passed: 0, failed: 0, failures: ends });
    },
  };
  const address = async (run: typeof runKafka): Promise<string> => {
    const engine = await run(scratch, reports);
    stops.push(() => engine.stop());
    return engine.address;
  };
  terminal.say('Engines: starting Kafka and MongoDB');
  const [brokers, uri] = await Promise.all([kafkaBrokers ?? address(runKafka), mongoUri ?? address(runMongo)]);
  stops.push(() => {
    process.once('exit', () => {
      rmSync(scratch.path, { recursive: true, force: true });
    });
    return Promise.resolve();
  });
  return { KAFKA_BROKERS: brokers, MONGODB_URI: uri, TOCSIN_DOWNLOADS: downloads };
}

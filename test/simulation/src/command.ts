import { MUTATIONS } from './mutations.ts';
import { type Options, readOptions } from './options.ts';
import { repeat, textOf } from './repeat.ts';
import { DivergenceError, LimitedFaults, SeededChoices } from './scheduler/choices.ts';
import { shrinkFaults } from './shrink.ts';
import type { Simulation } from './world.ts';

const HELP = `Runs the outbox, the due work and the pages of notifier with simulated processes, a simulated network, and a MongoDB and a Kafka in
memory, in orders that seeds decide. Each seed runs each simulation: outbox, due-work and pages.

npm run simulate -- [--seeds N] [--from N]   runs N seeds, 1000 by default, from the seed --from, 1 by default
npm run simulate -- --seed N                 runs one seed and prints its log
npm run simulate -- --simulation NAME ...    runs this simulation only
npm run simulate -- --shrink --seed N --simulation NAME
                                             looks for fewer faults with which a seed still breaks a promise, and prints the command
npm run simulate -- --seed N --simulation NAME --faults 3,17
                                             runs one seed with these of its faults only, and prints its log
npm run simulate -- --mutations [--seeds N] [--from N]
                                             changes the production code in one place at a time; the simulation must find each change
npm run simulate -- --mutation NAME ...      runs seeds with that change of the production code

Exit codes: 0 where each run kept every promise, 1 where one did not, 2 for a wrong option. With --mutations: 0 where each
change was found, 1 where one was not. With --shrink: 0 where a promise is broken, 1 where none is.
`;
const PROGRESS_EVERY = 100;
/** One seed of so many is run again by its record. */
const REPEATED_EACH = 10;

export interface NamedSimulation {
  readonly name: string;
  readonly simulate: Simulation;
}

/** What the command has from outside. */
export interface CommandEnvironment {
  /** @throws TypeError where there is no such mutation. */
  readonly applyMutation: (name: string) => void;
  /** Loads the production code. */
  readonly load: () => Promise<readonly NamedSimulation[]>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Runs the command with other arguments, in a process of its own. */
  readonly spawn: (args: readonly string[]) => {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
}

/** Runs the command. Resolves with its exit code. Never rejects. */
export async function runCommand(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
    if (options.mutation !== undefined) environment.applyMutation(options.mutation);
  } catch (error) {
    environment.printError(error instanceof Error ? error.message : String(error));
    return 2;
  }
  try {
    return await act(options, environment);
  } catch (error) {
    environment.printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

async function act(options: Options, environment: CommandEnvironment): Promise<number> {
  if (options.action === 'help') {
    environment.print(HELP);
    return 0;
  }
  if (options.action === 'find mutations') return findMutations(options, environment);
  const all = await environment.load();
  const chosen = all.filter(({ name }) => name === (options.simulation ?? name));
  if (chosen.length === 0) {
    const names = all.map(({ name }) => name).join(', ');
    environment.printError(`There is no simulation ${options.simulation ?? ''}. There are ${names}.`);
    return 2;
  }
  if (options.action === 'run') return runSeeds(chosen, options, environment);
  const [simulation] = chosen;
  return simulation === undefined ? 1 : shrink(simulation, options, environment);
}

async function runSeeds(
  simulations: readonly NamedSimulation[],
  options: Options,
  { print }: CommandEnvironment,
): Promise<number> {
  const { firstSeed, seeds } = options;
  let total = 0;
  for (let count = 0; count < seeds; count += 1) {
    for (const simulation of simulations) {
      const repeats = count % REPEATED_EACH === 0;
      const done = await runSeed(firstSeed + count, simulation, { ...options, repeats, print });
      if (done === undefined) return 1;
      total += done;
    }
    if ((count + 1) % PROGRESS_EVERY === 0) print(`${count + 1} of ${seeds} seeds kept every promise.`);
  }
  print(`${seeds} ${seeds === 1 ? 'seed' : 'seeds'} kept every promise; ${total} messages were published.`);
  return 0;
}

interface SeedOptions extends Pick<Options, 'faults' | 'mutation' | 'printsLog'> {
  readonly repeats: boolean;
  readonly print: (text: string) => void;
}

/** Runs one seed. Resolves with how much was done; undefined where a promise is broken, which it prints. */
async function runSeed(
  seed: number,
  { name, simulate }: NamedSimulation,
  { faults, mutation, print, printsLog, repeats }: SeedOptions,
): Promise<number | undefined> {
  const seeded = new SeededChoices(seed);
  const choices = faults === undefined ? seeded : new LimitedFaults(seeded, faults);
  const result = await simulate(choices);
  if (printsLog) {
    print(`The log of the simulation ${name}:`);
    for (const entry of result.log) print(textOf(entry));
  }
  const divergence = repeats ? await divergenceOf(simulate, choices, result) : undefined;
  if (result.violations.length === 0 && divergence === undefined) return result.done;
  if (divergence !== undefined)
    print(`Seed ${seed} of the simulation ${name} did something else when it ran again. ${divergence}`);
  if (result.violations.length > 0)
    print(`Seed ${seed} breaks a promise of the simulation ${name}: ${result.violations.join(' ')}`);
  const command = commandOf({ faults, mutation, name, seed });
  if (!printsLog) print(`Its log: ${command}`);
  print(`With fewer faults: ${command} --shrink`);
  return undefined;
}

interface Run extends Pick<Options, 'faults' | 'mutation'> {
  /** Of the simulation. */
  readonly name: string;
  readonly seed: number;
}

/** The command that does a run again. */
function commandOf({ faults, mutation, name, seed }: Run): string {
  const kept = faults === undefined ? '' : ` --faults ${faults.size === 0 ? 'none' : [...faults].join()}`;
  const change = mutation === undefined ? '' : ` --mutation ${mutation}`;
  return `npm run simulate -- --seed ${seed} --simulation ${name}${kept}${change}`;
}

/** How a run differs when it is repeated; undefined where it does not. */
async function divergenceOf(
  simulate: Simulation,
  { record }: Pick<SeededChoices, 'record'>,
  result: Awaited<ReturnType<Simulation>>,
): Promise<string | undefined> {
  try {
    await repeat(simulate, record, result);
    return undefined;
  } catch (error) {
    if (error instanceof DivergenceError) return error.message;
    throw error;
  }
}

async function shrink(
  { name, simulate }: NamedSimulation,
  { faults, firstSeed, mutation }: Options,
  { print }: CommandEnvironment,
): Promise<number> {
  const fewer = await shrinkFaults(simulate, firstSeed, {
    faults,
    onProgress: (count) => {
      print(`It still breaks a promise with ${count} faults.`);
    },
  });
  if (fewer === undefined) {
    print(`Seed ${firstSeed} keeps every promise of the simulation ${name}.`);
    return 1;
  }
  const { violations } = await simulate(new LimitedFaults(new SeededChoices(firstSeed), fewer));
  print(
    `Seed ${firstSeed} breaks a promise of the simulation ${name} with ${fewer.size} faults: ${violations.join(' ')}`,
  );
  print(`Its log: ${commandOf({ faults: fewer, mutation, name, seed: firstSeed })}`);
  return 0;
}

/** Runs each mutation in a process of its own. */
function findMutations({ firstSeed, seeds }: Options, { print, spawn }: CommandEnvironment): number {
  const missed = MUTATIONS.filter(({ name, simulation }) => {
    const of = simulation === undefined ? [] : ['--simulation', simulation];
    const args = ['--mutation', name, ...of, '--seeds', String(seeds), '--from', String(firstSeed)];
    const { status, stderr, stdout } = spawn(args);
    const isFound = status === 1 && stdout.includes('breaks a promise');
    print(`${name}: ${isFound ? stdout.split('\n').find((line) => line.startsWith('Seed')) : `not found. ${stderr}`}`);
    return !isFound;
  });
  return missed.length === 0 ? 0 : 1;
}

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { applyMutation, MUTATIONS } from './mutations.ts';
import { ReplayedChoices, SeededChoices } from './scheduler/choices.ts';
import { installVirtualGlobals } from './scheduler/virtual-globals.ts';
import type { Simulation } from './world.ts';

const HELP = `Runs the outbox and the due work with simulated processes, a simulated network and a MongoDB in memory, in orders that seeds
decide. Each seed runs each simulation.

npm run simulate -- [--seeds N] [--from N]   runs N seeds, 1000 by default, from the seed --from, 1 by default
npm run simulate -- --seed N                 runs one seed and prints its story
npm run simulate -- --mutations [--seeds N]  takes one order after the other out of the production code; each must be found
npm run simulate -- --mutation NAME ...      runs seeds with that change of the production code

Exit codes: 0 where each run kept every promise, 1 where one did not, 2 for a wrong option. With --mutations: 0 where each
change was found, 1 where one was not.
`;
const PROGRESS_EVERY = 100;
/** One seed of so many is run again by its record. */
const REPEATED_EACH = 10;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** A whole number of an option. */
function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`--${name} takes a whole number, not ${text}.`);
  return Number(text);
}

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ seed: text, seeds: text, from: text, mutation: text },
      mutations: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { from = '1', help = false, mutation, mutations = false, seed, seeds = '1000' } = values;
  const count = seed === undefined ? wholeNumber('seeds', seeds) : 1;
  return { help, mutation, mutations, first: wholeNumber('from', seed ?? from), count, tells: seed !== undefined };
}

/** The production code is loaded after the globals that it uses are replaced. */
async function simulations(): Promise<readonly (readonly [string, Simulation])[]> {
  installVirtualGlobals();
  const { simulateOutbox } = await import('./outbox/outbox-simulation.ts');
  const { simulateDueWork } = await import('./due-work/due-work-simulation.ts');
  return [
    ['outbox', simulateOutbox],
    ['due work', simulateDueWork],
  ];
}

/** Runs one seed. Resolves with how much was done; undefined where a promise is broken, which it prints. */
async function runSeed(
  seed: number,
  [name, simulate]: readonly [string, Simulation],
  { repeats, tells }: { readonly repeats: boolean; readonly tells: boolean },
): Promise<number | undefined> {
  const choices = new SeededChoices(seed);
  const { done, story, violations } = await simulate(choices);
  if (tells) {
    print(`The story of the ${name}:`);
    for (const { atMs, process: by, text } of story) print(`${String(atMs).padStart(6)} ms  ${by} ${text}`);
  }
  // The same choices again must ask the same questions: else something besides the seed decides what the run does.
  if (repeats) await simulate(new ReplayedChoices(choices.record));
  if (violations.length === 0) return done;
  print(`Seed ${seed} breaks a promise of the ${name}: ${violations.join(' ')}`);
  print(`Its story: npm run simulate -- --seed ${seed}`);
  return undefined;
}

/** Runs each mutation in a process of its own. */
function findMutations(count: number): number {
  const missed = MUTATIONS.filter(({ name }) => {
    const args = [...process.execArgv, process.argv[1] ?? '', '--mutation', name, '--seeds', String(count)];
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const isFound = status === 1 && stdout.includes('breaks a promise');
    print(`${name}: ${isFound ? stdout.split('\n').find((line) => line.startsWith('Seed')) : `not found. ${stderr}`}`);
    return !isFound;
  });
  return missed.length === 0 ? 0 : 1;
}

async function main(args: readonly string[]): Promise<number> {
  const { help, mutation, mutations, ...seeds } = optionsOf(args);
  if (help) {
    print(HELP);
    return 0;
  }
  if (mutations) return findMutations(seeds.count);
  if (mutation !== undefined) applyMutation(mutation);
  return runSeeds(seeds);
}

async function runSeeds({
  count,
  first,
  tells,
}: {
  readonly count: number;
  readonly first: number;
  readonly tells: boolean;
}) {
  const all = await simulations();
  let total = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    for (const simulation of all) {
      const done = await runSeed(seed, simulation, { repeats: (seed - first) % REPEATED_EACH === 0, tells });
      if (done === undefined) return 1;
      total += done;
    }
    if ((seed - first + 1) % PROGRESS_EVERY === 0) print(`${seed - first + 1} of ${count} seeds are in order.`);
  }
  print(`${count} ${count === 1 ? 'seed is' : 'seeds are'} in order; ${total} messages were published.`);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}

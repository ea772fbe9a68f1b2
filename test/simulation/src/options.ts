import { parseArgs } from 'node:util';

/** What the command is to do. */
export interface Options {
  readonly action: 'help' | 'run' | 'shrink' | 'find mutations';
  readonly mutation: string | undefined;
  /** The simulation to run; undefined: all. */
  readonly simulation: string | undefined;
  readonly firstSeed: number;
  readonly seeds: number;
  /** Whether the log is printed. */
  readonly printsLog: boolean;
  /** Only these faults of the run happen; undefined: all. */
  readonly faults: ReadonlySet<number> | undefined;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  ...{ seed: text, seeds: text, from: text, faults: text, simulation: text, mutation: text },
  ...{ mutations: flag, shrink: flag, help: { ...flag, short: 'h' } },
} as const;

/** Options of which a command takes one at most. */
const EXCLUSIVE = [
  ['seed', 'seeds'],
  ['seed', 'from'],
  ['mutations', 'mutation'],
  ['mutations', 'seed'],
  ['mutations', 'simulation'],
] as const;
/** The first needs the second. */
const NEEDED = [
  ['faults', 'seed'],
  ['faults', 'simulation'],
  ['shrink', 'seed'],
  ['shrink', 'simulation'],
] as const;

/** @throws TypeError where an option is unknown, wrong, or does not go with another one. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { faults, from = '1', mutation, seed, seeds = '1000', simulation } = values;
  checkTogether(values);
  return {
    action: actionOf(values),
    mutation,
    simulation,
    firstSeed: wholeNumber(seed === undefined ? 'from' : 'seed', seed ?? from),
    seeds: seed === undefined ? wholeNumber('seeds', seeds) : 1,
    printsLog: seed !== undefined,
    faults: faults === undefined ? undefined : new Set(numbers('faults', faults)),
  };
}

/** @throws TypeError where an option does not go with another one, or not without it. */
function checkTogether(values: Readonly<Partial<Record<keyof typeof OPTIONS, unknown>>>): void {
  for (const [one, other] of EXCLUSIVE)
    if (values[one] !== undefined && values[other] !== undefined)
      throw new TypeError(`--${one} and --${other} exclude each other.`);
  for (const [one, other] of NEEDED)
    if (values[one] !== undefined && values[other] === undefined) throw new TypeError(`--${one} needs --${other}.`);
}

function actionOf({
  help,
  mutations,
  shrink,
}: Partial<Record<'help' | 'mutations' | 'shrink', boolean>>): Options['action'] {
  if (help === true) return 'help';
  if (mutations === true) return 'find mutations';
  return shrink === true ? 'shrink' : 'run';
}

const numbers = (name: string, list: string): readonly number[] =>
  list === 'none' ? [] : list.split(',').map((part) => wholeNumber(name, part));

/** A whole number of an option. */
function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new TypeError(`--${name} takes a whole number, not ${value}.`);
  return Number(value);
}

import type { Span } from '../../timeline.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long before and after a change of the clock instants are compared. */
const AROUND_CLOCK_CHANGE_MS = 3 * HOUR_MS;
const STEP_MS = 15 * MINUTE_MS;
/** Before and after a hand-off. */
const BESIDE_HAND_OFF_MS = 1_000;
/** Two changes of the clock of one zone are further apart. */
const SCAN_MS = 24 * HOUR_MS;

export interface InstantsWanted {
  readonly range: Span;
  /** The time zones of the schedules. */
  readonly zones: readonly string[];
  /** When users come on call or leave, in any order. */
  readonly handOffs: readonly number[];
  /** How many hand-offs are compared. */
  readonly maxHandOffs: number;
  /** How many instants are drawn at random, each minute with the same chance. */
  readonly random: number;
  /** The same seed draws the same instants. 0 to 2^32 - 1 */
  readonly seed: number;
}

/**
 * The instants at which the users on call are asked for, in order, each once: every 15 minutes within 3 hours of each change of a clock, one second
 * before and after hand-offs, and some at random.
 */
export function instantsOf(wanted: InstantsWanted): readonly number[] {
  const { handOffs, maxHandOffs, random, range, seed, zones } = wanted;
  const draw = drawer(seed);
  const aroundChanges = [...new Set(zones)].flatMap((zone) => clockChanges(zone, range)).flatMap(around);
  const sampled = sampleOf([...new Set(handOffs)].toSorted(ascending), maxHandOffs, draw);
  const beside = sampled.flatMap((at) => [at - BESIDE_HAND_OFF_MS, at + BESIDE_HAND_OFF_MS]);
  const minutes = Math.floor((range.until - range.from) / MINUTE_MS);
  const drawn = Array.from({ length: random }, () => range.from + Math.floor(draw() * minutes) * MINUTE_MS);
  const all = [...aroundChanges, ...beside, ...drawn].filter((at) => at >= range.from && at < range.until);
  return [...new Set(all)].toSorted(ascending);
}

/** When the clock of a zone is set forward or back within a range, in order. @throws RangeError for an unknown zone */
export function clockChanges(zone: string, { from, until }: Span): readonly number[] {
  const offsetAt = offsetIn(zone);
  const changes: number[] = [];
  for (let at = from; at < until; at += SCAN_MS) {
    const end = Math.min(at + SCAN_MS, until);
    if (offsetAt(at) !== offsetAt(end)) changes.push(changeBetween(at, end, offsetAt));
  }
  return changes;
}

/** To the second. */
function changeBetween(from: number, until: number, offsetAt: (at: number) => string): number {
  let [before, after] = [from, until];
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offsetAt(from)) before = middle;
    else after = middle;
  }
  return Math.floor(after / 1_000) * 1_000;
}

function offsetIn(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return (at) => format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function around(change: number): readonly number[] {
  const steps = (2 * AROUND_CLOCK_CHANGE_MS) / STEP_MS;
  return Array.from({ length: steps + 1 }, (_, step) => change - AROUND_CLOCK_CHANGE_MS + step * STEP_MS);
}

/** At most `size` of a list, each with the same chance. */
function sampleOf(list: readonly number[], size: number, draw: () => number): readonly number[] {
  const left = [...list];
  const taken: number[] = [];
  while (taken.length < size && left.length > 0) taken.push(...left.splice(Math.floor(draw() * left.length), 1));
  return taken;
}

const ascending = (a: number, b: number): number => a - b;

/** Numbers from 0 to 1, exclusive, that follow from the seed. */
function drawer(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

import type { Span } from '../../timeline.ts';
import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError, type ApiFault } from '../answer.ts';
import { sha256 } from '../json.ts';
import { uniqueName } from '../plan/present.ts';
import { causesOf, isZone } from './cause.ts';
import { changesOf, type Difference, differencesOf, lengthOf } from './comparison.ts';
import { instantsOf } from './instants.ts';
import type { OnCallPlan, ParitySchedule, ParitySide } from './side.ts';

/** Requests to each side at a time. Tocsin computes two timelines of a key at a time, and queues two more (F5). */
const CONCURRENT_COMPARISONS = 4;

/** How many hand-offs are compared. */
const MAX_HAND_OFFS = 100;

/** Faults of one answer; after another one the side cannot be read. */
const FAULTS_OF_ONE_ANSWER: ReadonlySet<ApiFault> = new Set(['answer', 'missing', 'plan']);

export interface ParityWanted {
  readonly opsgenie: ParitySide;
  readonly tocsin: ParitySide;
  /** The id or the name of the only schedule that is compared; without it all are. */
  readonly schedule?: string | undefined;
  readonly range: Span;
  readonly randomInstants: number;
  readonly seed: number;
  readonly progress: (text: string) => void;
}

/** An instant at which the users on call are not the same. */
export interface DifferentInstant {
  readonly at: number;
  readonly opsgenie: readonly string[];
  readonly tocsin: readonly string[];
}

/** The result of the comparison of one schedule. */
export type ScheduleParity = { readonly id: string; readonly name: string } & (
  | { readonly result: 'identical' }
  | {
      readonly result: 'different';
      /** How long the timelines differ. */
      readonly differentMs: number;
      readonly differences: readonly Difference[];
      readonly instants: readonly DifferentInstant[];
      readonly causes: readonly string[];
    }
  | { readonly result: 'not-comparable'; readonly reason: string }
);

export interface Parity {
  readonly opsgenie: string;
  readonly tocsin: string;
  readonly range: Span;
  readonly seed: number;
  /** At how many instants the users on call were compared, and at how many a side could not say; `reason` is that of the first of these. */
  readonly instants: { readonly compared: number; readonly unread: number; readonly reason?: string };
  /** The version of the time-zone data by which changes of clocks were found. */
  readonly timeZoneData: string;
  /** Of all answers of a side that were compared: the same answers have the same hash. */
  readonly hashes: Hashes;
  /** By name. */
  readonly schedules: readonly ScheduleParity[];
}

interface Hashes {
  readonly opsgenie: string;
  readonly tocsin: string;
}

/** A schedule on both sides. */
interface Pair {
  readonly opsgenie: ParitySchedule;
  readonly tocsin: ParitySchedule;
}

/** The comparison of the plans of a pair, without the plans themselves, which are large. */
interface PairPlans {
  readonly pair: Pair;
  readonly hashes: Hashes;
  readonly handOffs: readonly number[];
  readonly differences: readonly Difference[];
  readonly causes: readonly string[];
  /** Why the plans could not be read. */
  readonly reason?: string;
}

/** The comparison of the users on call at an instant, by the id of the schedule in Opsgenie. */
interface InstantComparison {
  readonly hashes: Hashes;
  readonly different: ReadonlyMap<string, DifferentInstant>;
  /** Why a side could not say. */
  readonly reason?: string;
}

/**
 * Whether the same recipients are on call at the same times on both sides: by the timelines of all schedules over a range, and by the users who are
 * on call at single instants, also behind teams and escalations. A schedule that could not be read is not identical.
 *
 * @throws ApiReadError where a side cannot be read at all.
 */
export async function parity(wanted: ParityWanted): Promise<Parity> {
  const { opsgenie, tocsin, progress, range, seed } = wanted;
  progress('Reading the schedules of both sides');
  const [ofOpsgenie, ofTocsin] = await Promise.all([opsgenie.schedules(), tocsin.schedules()]);
  const isWanted = ({ id, name }: Pick<ParitySchedule, 'id' | 'name'>): boolean =>
    wanted.schedule === undefined || wanted.schedule === id || wanted.schedule === name;
  const allPairs = pairsOf(ofOpsgenie, ofTocsin);
  const pairs = allPairs.filter((pair) => isWanted(pair.opsgenie) || isWanted(pair.tocsin));
  const plans = await mapConcurrent(
    CONCURRENT_COMPARISONS,
    pairs,
    counted(progress, pairs.length, 'timelines', (pair) => plansOf(wanted, pair)),
  );
  const instants = pairs.length === 0 ? [] : instantsToCompare(wanted, plans);
  const comparisons = await mapConcurrent(
    CONCURRENT_COMPARISONS,
    instants,
    counted(progress, instants.length, 'instants', (at) => compareAt(wanted, pairs, at)),
  );
  const unread = comparisons.flatMap(({ reason = [] }) => reason);
  const compared = plans.map((plan) => comparisonOf(plan, comparisons));
  return {
    ...{ opsgenie: opsgenie.url, tocsin: tocsin.url, range, seed },
    instants: {
      ...{ compared: comparisons.length - unread.length, unread: unread.length },
      ...(unread[0] !== undefined && { reason: unread[0] }),
    },
    timeZoneData: process.versions['tz'] ?? 'unknown',
    hashes: {
      opsgenie: hashOf([...plans, ...comparisons], 'opsgenie'),
      tocsin: hashOf([...plans, ...comparisons], 'tocsin'),
    },
    schedules: [...compared, ...unpaired(ofOpsgenie, ofTocsin, allPairs).filter(isWanted)].toSorted(byName),
  };
}

/** Shows how far a part of the work is. */
function counted<T, R>(
  progress: (text: string) => void,
  total: number,
  what: string,
  work: (item: T) => Promise<R>,
): (item: T) => Promise<R> {
  let done = 0;
  return async (item) => {
    const result = await work(item);
    done += 1;
    progress(`Compared ${done} of ${total} ${what}`);
    return result;
  };
}

/** The schedules that both sides have: of the same id, else of the same name, by which `tocsin import apply --adopt` takes them for the same. */
function pairsOf(opsgenie: readonly ParitySchedule[], tocsin: readonly ParitySchedule[]): readonly Pair[] {
  const [byId, byTocsinName] = [
    new Map(tocsin.map((one) => [one.id, one])),
    new Map(tocsin.map((one) => [uniqueName(one.name), one])),
  ];
  const ids = new Set(opsgenie.map(({ id }) => id));
  return opsgenie.flatMap((one) => {
    const named = byTocsinName.get(uniqueName(one.name));
    const found = byId.get(one.id) ?? (named !== undefined && !ids.has(named.id) ? named : undefined);
    return found === undefined ? [] : [{ opsgenie: one, tocsin: found }];
  });
}

/** The schedules that one side has alone. */
function unpaired(
  opsgenie: readonly ParitySchedule[],
  tocsin: readonly ParitySchedule[],
  pairs: readonly Pair[],
): readonly ScheduleParity[] {
  const [ofOpsgenie, ofTocsin] = [
    new Set(pairs.map((pair) => pair.opsgenie)),
    new Set(pairs.map((pair) => pair.tocsin)),
  ];
  const onOne = (schedules: readonly ParitySchedule[], known: ReadonlySet<ParitySchedule>, reason: string) =>
    schedules
      .filter((schedule) => !known.has(schedule))
      .map(({ id, name }) => ({ id, name, result: 'not-comparable', reason }) as const);
  return [
    ...onOne(opsgenie, ofOpsgenie, 'Tocsin has no such schedule.'),
    ...onOne(tocsin, ofTocsin, 'Opsgenie has no such schedule.'),
  ];
}

async function plansOf({ opsgenie, tocsin, range }: ParityWanted, pair: Pair): Promise<PairPlans> {
  const read = await unlessUnread(() =>
    Promise.all([opsgenie.plan(pair.opsgenie.id, range), tocsin.plan(pair.tocsin.id, range)]),
  );
  if (read instanceof ApiReadError)
    return { pair, hashes: NO_HASHES, handOffs: [], differences: [], causes: [], reason: read.message };
  const [ofOpsgenie, ofTocsin] = read;
  const differences = differencesOf(ofOpsgenie.final, ofTocsin.final, range);
  const causes =
    differences.length === 0 && isEnabledAlike(pair)
      ? []
      : causesOf(differences, { schedule: pair.opsgenie, plan: ofOpsgenie }, { schedule: pair.tocsin, plan: ofTocsin });
  const hashes = { opsgenie: planHash(pair.opsgenie, ofOpsgenie), tocsin: planHash(pair.tocsin, ofTocsin) };
  return { pair, hashes, handOffs: changesOf(ofOpsgenie.final, range), differences, causes };
}

/** A schedule that is disabled on one side alone pages its users on the other, also where the timelines are alike. */
const isEnabledAlike = ({ opsgenie, tocsin }: Pair): boolean => opsgenie.enabled === tocsin.enabled;

const planHash = (schedule: ParitySchedule, plan: OnCallPlan): string => sha256(JSON.stringify([schedule, plan]));

function instantsToCompare({ randomInstants: random, range, seed }: ParityWanted, plans: readonly PairPlans[]) {
  const zones = plans.flatMap(({ pair }) => [pair.opsgenie.zone, pair.tocsin.zone]).filter(isZone);
  const handOffs = plans.flatMap((plan) => plan.handOffs);
  return instantsOf({ range, zones, handOffs, maxHandOffs: MAX_HAND_OFFS, random, seed });
}

async function compareAt(
  { opsgenie, tocsin }: ParityWanted,
  pairs: readonly Pair[],
  at: number,
): Promise<InstantComparison> {
  const read = await unlessUnread(() => Promise.all([opsgenie.onCalls(at), tocsin.onCalls(at)]));
  if (read instanceof ApiReadError) return { hashes: NO_HASHES, different: new Map(), reason: read.message };
  const [ofOpsgenie, ofTocsin] = read;
  const found = pairs.map((pair) => ({
    id: pair.opsgenie.id,
    // A side lists no schedule in which no user is on call, or lists it without users.
    opsgenie: ofOpsgenie.get(pair.opsgenie.id) ?? [],
    tocsin: ofTocsin.get(pair.tocsin.id) ?? [],
  }));
  const hash = (side: keyof Hashes): string =>
    sha256(JSON.stringify([at, found.map((each) => [each.id, each[side]]).toSorted()]));
  const different = found.filter((each) => each.opsgenie.join('\n') !== each.tocsin.join('\n'));
  return {
    hashes: { opsgenie: hash('opsgenie'), tocsin: hash('tocsin') },
    different: new Map(different.map(({ id, ...names }) => [id, { at, ...names }])),
  };
}

/** What is read, or the fault of one answer. @throws ApiReadError where the side cannot be read at all. */
async function unlessUnread<T>(read: () => Promise<T>): Promise<T | ApiReadError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiReadError && FAULTS_OF_ONE_ANSWER.has(error.fault)) return error;
    throw error;
  }
}

function comparisonOf(
  { causes, differences, pair, reason }: PairPlans,
  comparisons: readonly InstantComparison[],
): ScheduleParity {
  const { id, name } = pair.opsgenie;
  if (reason !== undefined) return { id, name, result: 'not-comparable', reason };
  const instants = comparisons.flatMap(({ different }) => different.get(id) ?? []);
  if (differences.length + instants.length === 0 && isEnabledAlike(pair)) {
    const unread = comparisons.find((comparison) => comparison.reason !== undefined)?.reason;
    return unread === undefined
      ? { id, name, result: 'identical' }
      : { id, name, result: 'not-comparable', reason: unread };
  }
  const why = causes.length === 0 ? [BEHIND_GROUPS] : causes;
  return { id, name, result: 'different', differentMs: lengthOf(differences), differences, instants, causes: why };
}

const BEHIND_GROUPS = 'The timelines are alike: the users behind its teams or escalations differ.';

const NO_HASHES: Hashes = { opsgenie: '', tocsin: '' };

const hashOf = (parts: readonly { readonly hashes: Hashes }[], side: keyof Hashes): string =>
  sha256(parts.map(({ hashes }) => hashes[side]).join('\n'));

const byName = (a: ScheduleParity, b: ScheduleParity): number =>
  a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);

import { type Json, numberIn, objectIn, textIn } from '../json.ts';

/** A user whom an alert reached on one side, and when it first did, in epoch milliseconds. */
export interface Reached {
  readonly user: string;
  readonly atMs: number;
}

/** What became of one user of an alert. `early` and `late` are by more than the tolerance, `not yet` was reached too lately to compare it. */
export interface ComparedUser {
  readonly user: string;
  readonly result: 'same' | 'early' | 'late' | 'missing' | 'extra' | 'not comparable' | 'not yet';
  readonly theirsMs?: number;
  readonly oursMs?: number;
  readonly why?: string;
}

/**
 * The users whom an alert reached, of the answer of either side: by their names in lower case, or by the id of one who has no name any more.
 * Undefined where a recipient has no user or no time.
 */
export function reachedIn(recipients: readonly Json[]): readonly Reached[] | undefined {
  const reached = recipients.flatMap((recipient) => {
    const found = objectIn(recipient, 'user');
    const user = textIn(found, 'username')?.toLowerCase() ?? textIn(found, 'id');
    const atMs = Date.parse(textIn(recipient, 'createdAt') ?? '');
    return user === undefined || Number.isNaN(atMs) ? [] : [{ user, atMs }];
  });
  return reached.length === recipients.length ? reached : undefined;
}

/** When the flow of an alert ended for users who were not reached yet, in epoch milliseconds: its acknowledgement, else its close. */
export function endedMs(alert: Json): number | undefined {
  const report = objectIn(alert, 'report');
  const createdMs = Date.parse(textIn(alert, 'createdAt') ?? '');
  const after = ['ackTime', 'closeTime'].map((field) => numberIn(report, field) ?? Infinity);
  const first = Math.min(...after);
  return Number.isFinite(first) ? createdMs + first : undefined;
}

export interface ToCompare {
  readonly theirs: readonly Reached[];
  readonly ours: readonly Reached[];
  /** {@link endedMs} in Opsgenie. */
  readonly endedMs: number | undefined;
  /** How much later or earlier counts as the same. */
  readonly toleranceMs: number;
  /** What was reached after this is not compared yet. */
  readonly untilMs: number;
}

/** Compares the users whom an alert reached on both sides, each by its user name, in the order of their times. */
export function comparedUsers({
  endedMs: ended,
  ours,
  theirs,
  toleranceMs,
  untilMs,
}: ToCompare): readonly ComparedUser[] {
  const [here, there] = [firstTimes(ours), firstTimes(theirs)];
  const compared = [...new Set([...there.keys(), ...here.keys()])].map((user): ComparedUser => {
    const times = { theirsMs: there.get(user), oursMs: here.get(user) };
    return { user, ...resultOf(times, { endedMs: ended, toleranceMs, untilMs }), ...defined(times) };
  });
  return compared.toSorted((one, other) => startOf(one) - startOf(other));
}

/** When a user was first reached on each side. */
interface FirstTimes {
  readonly theirsMs: number | undefined;
  readonly oursMs: number | undefined;
}

type Limits = Pick<ToCompare, 'endedMs' | 'toleranceMs' | 'untilMs'>;

function resultOf({ oursMs, theirsMs }: FirstTimes, limits: Limits): Pick<ComparedUser, 'result' | 'why'> {
  const { toleranceMs, untilMs } = limits;
  const isNear = (ms: number, other: number): boolean => Math.abs(ms - other) <= toleranceMs;
  if (oursMs !== undefined && theirsMs !== undefined)
    return { result: isNear(oursMs, theirsMs) ? 'same' : oursMs > theirsMs ? 'late' : 'early' };
  if (Math.max(theirsMs ?? 0, oursMs ?? 0) > untilMs) return { result: 'not yet' };
  if (oursMs === undefined) return { result: 'missing' };
  return oursAlone(oursMs, limits);
}

/** Tocsin learns of an acknowledgement with the next look of the mirror, and may reach a user until then. */
const oursAlone = (
  oursMs: number,
  { endedMs: ended = NaN, toleranceMs }: Limits,
): Pick<ComparedUser, 'result' | 'why'> =>
  ended <= oursMs && oursMs <= ended + toleranceMs
    ? { result: 'not comparable', why: 'A user acknowledged or closed the alert in Opsgenie shortly before.' }
    : { result: 'extra' };

const defined = ({ oursMs, theirsMs }: FirstTimes): Pick<ComparedUser, 'oursMs' | 'theirsMs'> => ({
  ...(theirsMs !== undefined && { theirsMs }),
  ...(oursMs !== undefined && { oursMs }),
});

function firstTimes(reached: readonly Reached[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { atMs, user } of reached) times.set(user, Math.min(atMs, times.get(user) ?? Infinity));
  return times;
}

const startOf = ({ oursMs, theirsMs }: ComparedUser): number => Math.min(oursMs ?? Infinity, theirsMs ?? Infinity);

import { type Json, objectIn, textIn } from '../json.ts';

/** A user whom an alert reached on one side, and when it first did, in epoch milliseconds. */
export interface Reached {
  readonly user: string;
  readonly atMs: number;
}

/** What became of one user of an alert. `early` and `late` are by more than the tolerance. */
export interface ComparedUser {
  readonly user: string;
  readonly result: 'same' | 'early' | 'late' | 'missing' | 'extra' | 'not comparable';
  readonly theirsMs?: number;
  readonly oursMs?: number;
  readonly why?: string;
}

/** The users whom an alert reached, of the answer of either side; user names in lower case. */
export const reachedIn = (recipients: readonly Json[]): readonly Reached[] =>
  recipients.flatMap((recipient) => {
    const user = textIn(objectIn(recipient, 'user'), 'username')?.toLowerCase();
    const atMs = Date.parse(textIn(recipient, 'createdAt') ?? '');
    return user === undefined || Number.isNaN(atMs) ? [] : [{ user, atMs }];
  });

/** When the flow of an alert ended for users who were not reached yet, in epoch milliseconds: its acknowledgement, else its close. */
export function endedMs(alert: Json): number | undefined {
  const report = objectIn(alert, 'report');
  const createdMs = Date.parse(textIn(alert, 'createdAt') ?? '');
  const after = [report?.['ackTime'], report?.['closeTime']].filter((each) => each !== undefined).map(Number);
  const first = Math.min(...after.filter((each) => Number.isFinite(each)));
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
  const compared = [...new Set([...there.keys(), ...here.keys()])].flatMap((user): readonly ComparedUser[] => {
    const [theirsMs, oursMs] = [there.get(user), here.get(user)];
    if (Math.max(theirsMs ?? 0, oursMs ?? 0) > untilMs) return [];
    if (theirsMs === undefined) return [extra(user, oursMs ?? 0, ended, toleranceMs)];
    if (oursMs === undefined) return [{ user, result: 'missing', theirsMs }];
    const late = oursMs - theirsMs;
    const result = Math.abs(late) <= toleranceMs ? 'same' : late > 0 ? 'late' : 'early';
    return [{ user, result, theirsMs, oursMs }];
  });
  return compared.toSorted((one, other) => startOf(one) - startOf(other));
}

/** Tocsin learns of an acknowledgement with the next look of the mirror, and may reach a user until then. */
function extra(user: string, oursMs: number, ended: number | undefined, toleranceMs: number): ComparedUser {
  if (ended === undefined || oursMs < ended - toleranceMs || oursMs > ended + toleranceMs)
    return { user, result: 'extra', oursMs };
  const why = 'A user acknowledged or closed the alert in Opsgenie at about that time.';
  return { user, result: 'not comparable', oursMs, why };
}

function firstTimes(reached: readonly Reached[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { atMs, user } of reached) times.set(user, Math.min(atMs, times.get(user) ?? Infinity));
  return times;
}

const startOf = ({ oursMs, theirsMs }: ComparedUser): number => Math.min(oursMs ?? Infinity, theirsMs ?? Infinity);

import type { Mention } from './mentions.ts';
import { affordableSteps, mostPeriods } from './on-call/row.ts';
import { byStart, type Span } from './on-call/span.ts';
import type { Steps } from './on-call/steps.ts';
import { keyOf, timelineSteps, type Period, type TimelineRow } from './on-call/timeline.ts';
import type { Schedule } from './schedule.ts';
import { TrackedSnapshot, type Snapshot } from './snapshot.ts';

/** A period of a final timeline that is not cut off at its beginning, so that it is the same in every later range. */
export interface Shift extends Period {
  readonly rotation: TimelineRow['rotation'];
  /** Differs from that of every other shift, and stays when time goes on or the end of the shift moves. */
  readonly key: string;
}

/** The shifts of a schedule, and whom they lead to that is not known. */
export interface Shifts {
  /** In the order in which they begin. */
  readonly shifts: readonly Shift[];
  /** Ids of users and teams that are not in the snapshot, each once. */
  readonly unknown: readonly Mention[];
}

/** Shifts that one calendar has room for, about: writing more would hold up pages, which the same process sends. */
export const MOST_SHIFTS = 6_000;

/**
 * Everything that the final timeline of `schedule` has in `range`: at every instant of the range the shifts name whom
 * the timeline names (S5, S8). Where they would be too many the range ends earlier.
 *
 * A user on call at the beginning has a shift that began before; it is followed back to where it began, or for as
 * long as there is room.
 */
export function* shiftSteps(snapshot: Snapshot, schedule: Schedule, range: Span): Steps<Shifts> {
  const tracked = new TrackedSnapshot(snapshot);
  // A range begins at midnight, and no shift begins 1 ms before it: one that is drawn from there is cut off.
  let from = range.from - 1;
  const until = yield* affordableSteps(schedule, range, tracked.forwardings, MOST_SHIFTS);
  for (;;) {
    const { final } = yield* timelineSteps(schedule, { from, until }, tracked);
    const shifts = final.flatMap((row) => shiftsIn(row, schedule, range.from)).sort(byStart);
    const earlier = from - (until - from);
    const isWhole = shifts.every((shift) => shift.from > from);
    if (isWhole || mostPeriods(schedule, { from: earlier, until }, tracked.forwardings) > MOST_SHIFTS) {
      return { shifts, unknown: tracked.unknown };
    }
    from = earlier;
  }
}

function shiftsIn({ rotation, periods }: TimelineRow, schedule: Schedule, start: number): readonly Shift[] {
  return periods
    .filter(({ until }) => until > start)
    .map((period) => ({ ...period, rotation, key: keyOfShift(schedule, rotation.id, period) }));
}

const keyOfShift = (schedule: Schedule, rotationId: string, { from, type, recipient, fromUserId = '' }: Period) =>
  [schedule.id, rotationId, from, type, keyOf(recipient), fromUserId].join('/');

/** Whether one of `userIds` may have a shift of `schedule` before forwarding. */
export function mayServe(schedule: Schedule, userIds: ReadonlySet<string>): boolean {
  const meant = (one: { readonly type: string; readonly id?: string }): boolean =>
    one.type === 'user' && one.id !== undefined && userIds.has(one.id);
  return (
    schedule.rotations.some(({ participants }) => participants.some(meant)) ||
    schedule.overrides.some(({ user }) => meant(user))
  );
}

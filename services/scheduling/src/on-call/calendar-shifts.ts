import type { Steps } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import { endWithinShiftsSteps, maxShifts } from './shift-count.ts';
import { byStart, type Span } from './span.ts';
import { keyOf, timelineSteps, type Shift, type RotationTimeline } from './timeline.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { TrackedSnapshot, type Snapshot } from '../configuration/snapshot.ts';

/** A shift of a final timeline with its real beginning, so that it is the same in every later range. */
export interface CalendarShift extends Shift {
  readonly rotation: RotationTimeline['rotation'];
  /** Unique among shifts. It does not change with time, or when the end of the shift moves. */
  readonly key: string;
}

/** The shifts of a schedule, and the unknown users and teams in them. */
export interface CalendarShifts {
  /** In the order in which they begin. */
  readonly shifts: readonly CalendarShift[];
  /** Ids of users and teams that are not in the snapshot, each once. */
  readonly unknown: readonly Mention[];
}

/** Roughly the most shifts of one calendar: more would delay pages, which the same process orders. */
export const MAX_CALENDAR_SHIFTS = 6_000;

/**
 * The shifts of the final timeline of `schedule` in `range`: at every instant they name the same users as the timeline (S5, S8). Where
 * there would be too many, the range ends earlier.
 *
 * A user on call at the beginning has a shift that began before; it is followed back to where it began, or for as long as there is
 * room.
 */
export function* calendarShiftSteps(snapshot: Snapshot, schedule: Schedule, range: Span): Steps<CalendarShifts> {
  const tracked = new TrackedSnapshot(snapshot);
  // A range begins at midnight, and no shift begins 1 ms before it, so a shift that begins there is cut off.
  let from = range.from - 1;
  const until = yield* endWithinShiftsSteps(schedule, range, tracked.forwardings, MAX_CALENDAR_SHIFTS);
  for (;;) {
    const { final } = yield* timelineSteps(schedule, { from, until }, tracked);
    const shifts = final.flatMap((row) => shiftsIn(row, schedule, range.from)).sort(byStart);
    const earlier = from - (until - from);
    const isWhole = shifts.every((shift) => shift.from > from);
    if (isWhole || maxShifts(schedule, { from: earlier, until }, tracked.forwardings) > MAX_CALENDAR_SHIFTS) {
      return { shifts, unknown: tracked.unknown };
    }
    from = earlier;
  }
}

function shiftsIn({ rotation, shifts }: RotationTimeline, schedule: Schedule, start: number): readonly CalendarShift[] {
  return shifts
    .filter(({ until }) => until > start)
    .map((shift) => ({ ...shift, rotation, key: keyOfShift(schedule, rotation.id, shift) }));
}

const keyOfShift = (schedule: Schedule, rotationId: string, { from, type, recipient, fromUserId = '' }: Shift) =>
  [schedule.id, rotationId, from, type, keyOf(recipient), fromUserId].join('/');

/** Whether one of `userIds` may have a shift of `schedule` before forwarding. */
export function mayHaveShiftOf(schedule: Schedule, userIds: ReadonlySet<string>): boolean {
  const isNamed = (one: { readonly type: string; readonly id?: string }): boolean =>
    one.type === 'user' && one.id !== undefined && userIds.has(one.id);
  return (
    schedule.rotations.some(({ participants }) => participants.some(isNamed)) ||
    schedule.overrides.some(({ user }) => isNamed(user))
  );
}

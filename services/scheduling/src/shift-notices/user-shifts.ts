import type { Mention } from '../configuration/mentions.ts';
import { byStart, type Span } from '../on-call/span.ts';
import { timelineOf } from '../on-call/timeline.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { TrackedSnapshot, type Snapshot } from '../configuration/snapshot.ts';

/** How many rotations a notice names at most. Hundreds may begin at one instant. */
const MAX_NAMED = 10;

/**
 * A user's time on call in one schedule without a break: all their shifts of its final timeline that touch or overlap, whichever
 * rotation, override or forwarding rule they come from.
 */
export interface UserShift extends Span {
  readonly userId: string;
  /** The names of the first ten rotations by which it begins, each once; a schedule without rotations has none. */
  readonly beginsIn: readonly string[];
  /** The same for its end. */
  readonly endsIn: readonly string[];
}

/** The shifts of a schedule, and users to whom it leads that are not known. */
export interface UserShifts {
  /** In the order in which they begin. */
  readonly shifts: readonly UserShift[];
  readonly unknown: readonly Mention[];
}

/**
 * The shifts of `schedule` in `range`. A shift that begins or ends exactly at the border of the range may be longer than it seems.
 * As in calendars, users have the shifts that name them: teams and escalations are not opened (S5, S8).
 */
export function userShiftsOf(snapshot: Snapshot, schedule: Schedule, range: Span): UserShifts {
  const tracked = new TrackedSnapshot(snapshot);
  const { final } = timelineOf(schedule, range, tracked);
  const parts = final.flatMap(({ shifts, rotation: { name } }) =>
    shifts.flatMap(({ from, recipient, until }): readonly UserShift[] => {
      if (recipient.type !== 'user') return [];
      const names = name === '' ? [] : [name];
      return [{ userId: recipient.id, from, until, beginsIn: names, endsIn: names }];
    }),
  );
  return { shifts: [...Map.groupBy(parts, ({ userId }) => userId).values()].flatMap(joined), unknown: tracked.unknown };
}

/** The `parts` of one user, with those that touch or overlap made one. */
function joined(parts: readonly UserShift[]): readonly UserShift[] {
  const shifts: UserShift[] = [];
  for (const part of parts.toSorted(byStart)) {
    const last = shifts.at(-1);
    if (last === undefined || part.from > last.until) shifts.push(part);
    else shifts[shifts.length - 1] = longer(last, part);
  }
  return shifts;
}

/** `part` does not begin before `shift`. */
const longer = (shift: UserShift, part: UserShift): UserShift => ({
  ...shift,
  beginsIn: part.from === shift.from ? distinct(shift.beginsIn, part.beginsIn) : shift.beginsIn,
  until: Math.max(shift.until, part.until),
  endsIn: endsOf(shift, part),
});

function endsOf(shift: UserShift, part: UserShift): readonly string[] {
  if (part.until === shift.until) return distinct(shift.endsIn, part.endsIn);
  return part.until > shift.until ? part.endsIn : shift.endsIn;
}

const distinct = (some: readonly string[], more: readonly string[]): readonly string[] =>
  [...new Set([...some, ...more])].slice(0, MAX_NAMED);

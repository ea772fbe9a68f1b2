import type { Mention } from '../mentions.ts';
import { byStart, type Span } from '../on-call/span.ts';
import { timelineOf } from '../on-call/timeline.ts';
import type { Schedule } from '../schedule.ts';
import { TrackedSnapshot, type Snapshot } from '../snapshot.ts';

/** How many rotations a notice names at most. Hundreds may begin at one instant. */
const MAX_NAMED = 10;

/**
 * A user's time on call in one schedule without a break: all their periods of its final timeline that touch or overlap, whichever
 * rotation, override or forwarding rule they come from.
 */
export interface Stint extends Span {
  readonly userId: string;
  /** The names of the first ten rotations by which it begins, each once; a schedule without rotations has none. */
  readonly beginsIn: readonly string[];
  /** The same for its end. */
  readonly endsIn: readonly string[];
}

/** The stints of a schedule, and users to whom it leads that are not known. */
export interface Stints {
  /** In the order in which they begin. */
  readonly stints: readonly Stint[];
  readonly unknown: readonly Mention[];
}

/**
 * The stints of `schedule` in `range`. A stint that begins or ends exactly at the border of the range may be longer than it seems.
 * As in calendars, users have the periods that name them: teams and escalations are not opened (S5, S8).
 */
export function stintsOf(snapshot: Snapshot, schedule: Schedule, range: Span): Stints {
  const tracked = new TrackedSnapshot(snapshot);
  const { final } = timelineOf(schedule, range, tracked);
  const parts = final.flatMap(({ periods, rotation: { name } }) =>
    periods.flatMap(({ from, recipient, until }): readonly Stint[] => {
      if (recipient.type !== 'user') return [];
      const names = name === '' ? [] : [name];
      return [{ userId: recipient.id, from, until, beginsIn: names, endsIn: names }];
    }),
  );
  return { stints: [...Map.groupBy(parts, ({ userId }) => userId).values()].flatMap(joined), unknown: tracked.unknown };
}

/** The `parts` of one user, with those that touch or overlap made one. */
function joined(parts: readonly Stint[]): readonly Stint[] {
  const stints: Stint[] = [];
  for (const part of parts.toSorted(byStart)) {
    const last = stints.at(-1);
    if (last === undefined || part.from > last.until) stints.push(part);
    else stints[stints.length - 1] = longer(last, part);
  }
  return stints;
}

/** `part` begins no earlier than `stint` does. */
const longer = (stint: Stint, part: Stint): Stint => ({
  ...stint,
  beginsIn: part.from === stint.from ? distinct(stint.beginsIn, part.beginsIn) : stint.beginsIn,
  until: Math.max(stint.until, part.until),
  endsIn: endsOf(stint, part),
});

function endsOf(stint: Stint, part: Stint): readonly string[] {
  if (part.until === stint.until) return distinct(stint.endsIn, part.endsIn);
  return part.until > stint.until ? part.endsIn : stint.endsIn;
}

const distinct = (some: readonly string[], more: readonly string[]): readonly string[] =>
  [...new Set([...some, ...more])].slice(0, MAX_NAMED);

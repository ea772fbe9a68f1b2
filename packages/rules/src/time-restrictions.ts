import { WEEKDAYS, type TimeRestriction } from '@tocsin/contracts';
import { WallClock } from './wall-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday midnight before the epoch, on the wall clock of any zone. */
const MONDAY_MS = -3 * DAY_MS;

/** A span of the wall clock that comes again and again; it lasts at most until it comes again. */
interface Span {
  /** One of its starts, in milliseconds of the wall clock. */
  readonly startMs: number;
  readonly lengthMs: number;
  readonly everyMs: number;
}

/**
 * Compiles a restriction into a test of an instant on the wall clock of `zone`; without a restriction it always holds (S3).
 *
 * Starts are inclusive, ends exclusive. An end at or before its start is of the next day, with weekdays of the next week;
 * start = end is all of it. A start that the clocks show twice is the first, an end the last; a time that they skip is the
 * first instant after (S2). Never throws: an invalid date is outside, and in a zone that this machine does not know the wall
 * clock is that of UTC.
 *
 * A call costs some additions for each span and allocates nothing while the zone keeps its offset.
 */
export function compileTimeRestriction(restriction: TimeRestriction | undefined, zone: string): (at: Date) => boolean {
  if (restriction === undefined) return () => true;
  const spans = spansOf(restriction);
  const clock = WallClock.of(zone);
  return (at) => {
    const ms = at.getTime();
    if (Number.isNaN(ms)) return false;
    const begun = clock.latestBegun(ms);
    const over = clock.latestOver(ms);
    return spans.some((span) => covers(span, begun, over));
  };
}

/** Whether the last start up to `begun` has an end after `over`. */
function covers({ startMs, lengthMs, everyMs }: Span, begun: number, over: number): boolean {
  const start = startMs + Math.floor((begun - startMs) / everyMs) * everyMs;
  return start + lengthMs > over;
}

function spansOf(restriction: TimeRestriction): readonly Span[] {
  if (restriction.type === 'time-of-day') {
    const { startHour, startMin, endHour, endMin } = restriction.restriction;
    return [span(minutes(startHour, startMin), minutes(endHour, endMin), DAY_MS)];
  }
  return restriction.restrictions.map(({ startDay, startHour, startMin, endDay, endHour, endMin }) => {
    const start = dayStart(startDay) + minutes(startHour, startMin);
    return span(start, dayStart(endDay) + minutes(endHour, endMin), WEEK_MS);
  });
}

function span(startMs: number, endMs: number, everyMs: number): Span {
  return { startMs, lengthMs: endMs > startMs ? endMs - startMs : endMs - startMs + everyMs, everyMs };
}

const minutes = (hour: number, minute: number): number => (hour * 60 + minute) * MINUTE_MS;
const dayStart = (day: (typeof WEEKDAYS)[number]): number => MONDAY_MS + WEEKDAYS.indexOf(day) * DAY_MS;

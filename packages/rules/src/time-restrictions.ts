import { WEEKDAYS, type TimeRestriction } from '@tocsin/events';
import { WallClock } from './wall-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday midnight before the epoch, on the wall clock of any zone. */
const MONDAY_MS = -3 * DAY_MS;

/** A window of the wall clock that comes back every day or week. */
export interface RestrictionWindow {
  /** One of its starts, in milliseconds of the wall clock. */
  readonly startMs: number;
  /** More than 0, at most `everyMs`. */
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
 * A call costs some additions for each window and allocates nothing while the zone keeps its offset.
 */
export function compileTimeRestriction(restriction: TimeRestriction | undefined, zone: string): (at: Date) => boolean {
  if (restriction === undefined) return () => true;
  const windows = windowsOf(restriction);
  const clock = WallClock.of(zone);
  return (at) => {
    const ms = at.getTime();
    if (Number.isNaN(ms)) return false;
    const begun = clock.latestBegun(ms);
    const over = clock.latestOver(ms);
    return windows.some((window) => covers(window, begun, over));
  };
}

/** Whether the last start up to `begun` has an end after `over`. */
function covers({ startMs, lengthMs, everyMs }: RestrictionWindow, begun: number, over: number): boolean {
  const start = startMs + Math.floor((begun - startMs) / everyMs) * everyMs;
  return start + lengthMs > over;
}

/** The windows of `restriction`, at least one. Ends are exclusive; one at or before its start is of the next day or week (S3). */
export function windowsOf(restriction: TimeRestriction): readonly RestrictionWindow[] {
  if (restriction.type === 'time-of-day') {
    const { startHour, startMin, endHour, endMin } = restriction.restriction;
    return [window(minutes(startHour, startMin), minutes(endHour, endMin), DAY_MS)];
  }
  return restriction.restrictions.map(({ startDay, startHour, startMin, endDay, endHour, endMin }) => {
    const start = dayStart(startDay) + minutes(startHour, startMin);
    return window(start, dayStart(endDay) + minutes(endHour, endMin), WEEK_MS);
  });
}

function window(startMs: number, endMs: number, everyMs: number): RestrictionWindow {
  return { startMs, lengthMs: endMs > startMs ? endMs - startMs : endMs - startMs + everyMs, everyMs };
}

const minutes = (hour: number, minute: number): number => (hour * 60 + minute) * MINUTE_MS;
const dayStart = (day: (typeof WEEKDAYS)[number]): number => MONDAY_MS + WEEKDAYS.indexOf(day) * DAY_MS;

import { Temporal } from 'temporal-polyfill';
import { WallClock } from '@tocsin/rules';
import { DAY_MS, type Span } from './span.ts';

/** What the interval of a timeline counts, on the calendar. */
export type IntervalUnit = 'days' | 'weeks' | 'months';

/**
 * The range from the midnight before or at `date` on the wall clock of `timezone`, for as many days, weeks or months (S5).
 *
 * Weeks begin on the day of `date`, whichever it is; a month ends on the same day of the next one, or on its last day.
 */
export function rangeFrom(date: Date, interval: number, unit: IntervalUnit, timezone: string): Span {
  const clock = WallClock.of(timezone);
  const midnight = Math.floor(clock.at(date.getTime()) / DAY_MS) * DAY_MS;
  const day = Temporal.Instant.fromEpochMilliseconds(midnight).toZonedDateTimeISO('UTC');
  const end = day.add({ [unit]: interval }).epochMilliseconds;
  return { from: clock.first(midnight), until: clock.first(end) };
}

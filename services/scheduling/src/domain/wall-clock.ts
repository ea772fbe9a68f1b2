import { Temporal } from 'temporal-polyfill';

/** What the clocks on the wall of `timeZone` show at `at`. */
export function wallClock(at: Date, timeZone: string): Temporal.PlainDateTime {
  return zoned(at, timeZone).toPlainDateTime();
}

/**
 * The instant at which the clocks of `timeZone` show `wall` (S2).
 *
 * A time that they skip is the first instant after the skipped span; one that they show twice is its first showing.
 */
export function instantOf(wall: Temporal.PlainDateTime, timeZone: string): Date {
  const shown = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (shown.toPlainDateTime().equals(wall)) return dateOf(shown);
  return dateOf(shown.getTimeZoneTransition('next') ?? shown);
}

const HALF_HOUR = { smallestUnit: 'minute', roundingIncrement: 30, roundingMode: 'halfExpand' } as const;

/**
 * `at` on the half-hour grid of the wall clock of `timeZone` (S1): seconds are dropped, then minutes go to the nearest
 * of 0 and 30, and up from 15 and 45. What is on the grid already stays the same instant, in a repeated hour too.
 */
export function snapped(at: Date, timeZone: string): Date {
  const minute = zoned(at, timeZone).round({ smallestUnit: 'minute', roundingMode: 'trunc' });
  const wall = minute.toPlainDateTime().round(HALF_HOUR);
  const sameOffset = wall.toZonedDateTime('UTC').subtract({ nanoseconds: minute.offsetNanoseconds });
  const candidate = sameOffset.withTimeZone(timeZone);
  return candidate.toPlainDateTime().equals(wall) ? dateOf(candidate) : instantOf(wall, timeZone);
}

const zoned = (at: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

const dateOf = (at: Temporal.ZonedDateTime): Date => new Date(at.epochMilliseconds);

import { WallClock } from '@tocsin/rules';
import { MINUTE_MS } from './on-call/span.ts';

const HALF_HOUR_MS = 30 * MINUTE_MS;

/**
 * The full or half hour on the wall clock of `timeZone` that is nearest to `at` (S1). Seconds are dropped first; 15 and 45
 * minutes go up. An instant that is on this grid already stays the same, even within an hour that the clocks show twice.
 */
export function snapped(at: Date, timeZone: string): Date {
  const clock = WallClock.of(timeZone);
  const shown = clock.at(at.getTime());
  const minute = Math.floor(shown / MINUTE_MS) * MINUTE_MS;
  const wall = Math.floor((minute + HALF_HOUR_MS / 2) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const sameOffset = at.getTime() + (wall - shown);
  return new Date(clock.at(sameOffset) === wall ? sameOffset : clock.first(wall));
}

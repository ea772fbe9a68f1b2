import { WallClock } from '@tocsin/rules';
import { MINUTE_MS } from './on-call/span.ts';

const HALF_HOUR_MS = 30 * MINUTE_MS;

/**
 * `at` on the half-hour grid of the wall clock of `timeZone` (S1): seconds are dropped, then minutes go to the nearest
 * of 0 and 30, and up from 15 and 45. What is on the grid already stays the same instant, in a repeated hour too.
 */
export function snapped(at: Date, timeZone: string): Date {
  const clock = WallClock.of(timeZone);
  const shown = clock.at(at.getTime());
  const minute = Math.floor(shown / MINUTE_MS) * MINUTE_MS;
  const wall = Math.floor((minute + HALF_HOUR_MS / 2) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const sameOffset = at.getTime() + (wall - shown);
  return new Date(clock.at(sameOffset) === wall ? sameOffset : clock.first(wall));
}

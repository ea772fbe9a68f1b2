import { durationMs, WEEKDAYS } from '@tocsin/contracts';
import { WallClock } from '@tocsin/rules';
import type { HoldPlan, PlanContext } from './judgement.ts';
import type { Delay, DelayDay, NotificationEffects } from './policy.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = WEEKDAYS.indexOf('thursday');
/** Today, and the days up to the same day of the next week. */
const NEXT_DAYS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The hold of a policy with a delay: until the end of the delay (P6). */
export function delaying({ delay }: NotificationEffects, { label, at, zone }: PlanContext): HoldPlan | undefined {
  return delay && { kind: 'delay', policy: label, until: delayEnd(delay, at, zone) };
}

/**
 * When a delay that began at `at` ends; always after `at` (P6).
 *
 * A named day is the next such day at `untilHour:untilMinute` on the wall clock of `zone`: today, if that time is still
 * to come. A time that the clocks skip becomes the first instant after it. Of a time that they show twice, the first
 * counts (S2).
 */
export function delayEnd(delay: Delay, at: Date, zone: string): Date {
  if (delay.option === 'for-duration') return new Date(at.getTime() + durationMs(delay.duration));
  const clock = WallClock.of(zone);
  const today = Math.floor(clock.at(at.getTime()) / DAY_MS);
  const timeOfDay = (delay.untilHour * 60 + delay.untilMinute) * MINUTE_MS;
  const ends = NEXT_DAYS.filter((days) => isMeant(delay.option, today + days))
    .map((days) => clock.first((today + days) * DAY_MS + timeOfDay))
    .find((end) => end > at.getTime());
  return new Date(ends ?? at.getTime() + DAY_MS);
}

/** `day`: days since 1970-01-01. */
function isMeant(option: DelayDay, day: number): boolean {
  if (option === 'next-time') return true;
  const weekday = WEEKDAYS.at((day + WEEKDAY_OF_EPOCH) % 7) ?? 'monday';
  if (option === 'next-weekday') return weekday !== 'saturday' && weekday !== 'sunday';
  return option === `next-${weekday}`;
}

import { durationMs } from '@tocsin/api';
import { WEEKDAYS } from '@tocsin/events';
import { WallClock } from '@tocsin/rules';
import type { FlowPlan, HoldPlan, PlanContext } from './policy-result.ts';
import type { Delay, DelayDay, NotificationEffects } from './policy.ts';

/** The plan of each effect of a notification policy. */
export interface Plans {
  readonly suppress: string;
  readonly delay: HoldPlan;
  readonly deduplication: HoldPlan;
  readonly autoClose: NonNullable<FlowPlan['autoClose']>;
  readonly autoRestart: NonNullable<FlowPlan['autoRestart']>;
}

/** The effects that a notification policy may have. */
export type Effect = Exclude<keyof NotificationEffects, 'kind'>;

/** Plans each effect of a policy, in order of precedence; undefined if the policy does not have it. */
export const PLANNERS: {
  readonly [E in Effect]: (effects: NotificationEffects, context: PlanContext) => Plans[E] | undefined;
} = {
  suppress: suppressing,
  delay: delaying,
  deduplication: deduplicating,
  autoClose: autoClosing,
  autoRestart: autoRestarting,
};

/** The effects that an effect overrides: suppress > delay > deduplication (P6). A suppressed flow never restarts. */
export const OVERRIDES: Partial<Record<Effect, readonly Effect[]>> = {
  suppress: ['delay', 'deduplication', 'autoRestart'],
  delay: ['deduplication'],
};

const EFFECTS = Object.keys(PLANNERS) as Effect[];

/** The effects that a policy has, in order of precedence. */
export function effectsOf(effects: NotificationEffects): readonly Effect[] {
  return EFFECTS.filter((effect) => effects[effect] !== undefined && effects[effect] !== false);
}

/** The auto-close that a policy plans, counted from the alert's creation (P7). */
function autoClosing({ autoClose }: NotificationEffects, { label }: PlanContext): FlowPlan['autoClose'] {
  return autoClose && { policy: label, afterMs: durationMs(autoClose.duration) };
}

/** The restarts of the flow that a policy plans while no user acknowledges the alert (P7). */
function autoRestarting({ autoRestart }: NotificationEffects, { label }: PlanContext): FlowPlan['autoRestart'] {
  if (autoRestart === undefined) return undefined;
  return { policy: label, everyMs: durationMs(autoRestart.duration), times: autoRestart.maxRepeatCount };
}

/** The hold of a policy with a deduplication: until the alert has occurred often enough (P6). */
function deduplicating({ deduplication }: NotificationEffects, { label }: PlanContext): HoldPlan | undefined {
  if (deduplication === undefined) return undefined;
  const { type, count } = deduplication;
  const withinMs = type === 'frequency-based' ? durationMs(deduplication.duration) : undefined;
  return { kind: 'deduplication', policy: label, count, withinMs };
}

/** The condition of a frequency-based deduplication: `count` occurrences, accepted within `withinMs` of each other. */
interface Frequency {
  readonly count: number;
  readonly withinMs: number;
}

/** The occurrences of an alert that a frequency-based deduplication still counts. */
export interface Counted {
  /** Their moments of acceptance, earliest first, at most `count`. */
  readonly kept: readonly Date[];
  /** Whether `count` of them were accepted within `withinMs` of each other, inclusive: the flow starts. */
  readonly reached: boolean;
}

/**
 * Counts one more occurrence, accepted at `at` (P6). Occurrences may come in any order. Beyond `count`, the earliest is
 * dropped.
 */
export function counted(kept: readonly Date[], { count, withinMs }: Frequency, at: Date): Counted {
  const all = [...kept, at].toSorted((a, b) => a.getTime() - b.getTime());
  const reached = all.some((first, index) => {
    const last = all[index + count - 1];
    return last !== undefined && last.getTime() - first.getTime() <= withinMs;
  });
  return { kept: all.slice(-count), reached };
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = WEEKDAYS.indexOf('thursday');
/** Today, and the days up to the same day of the next week. */
const NEXT_DAYS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The hold of a policy with a delay: until the end of the delay (P6). */
function delaying({ delay }: NotificationEffects, { label, at, zone }: PlanContext): HoldPlan | undefined {
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

/** The suppression that a policy plans, as a clause for the log: the alert is kept, but no user is notified (P7). */
function suppressing({ suppress }: NotificationEffects, { label }: PlanContext): string | undefined {
  return suppress ? `Policy ${label} suppresses notifications` : undefined;
}

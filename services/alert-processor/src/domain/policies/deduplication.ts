import { durationMs } from '@tocsin/contracts';
import type { HoldPlan, PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** How a policy with a deduplication holds the flow back: until enough has happened (P6). */
export function deduplicating({ deduplication }: NotificationEffects, { label }: PlanContext): HoldPlan | undefined {
  if (deduplication === undefined) return undefined;
  const { type, count } = deduplication;
  const withinMs = type === 'frequency-based' ? durationMs(deduplication.duration) : undefined;
  return { kind: 'deduplication', policy: label, count, withinMs };
}

/** What a deduplication by frequency waits for: so many occurrences, accepted within this of each other. */
interface Frequency {
  readonly count: number;
  readonly withinMs: number;
}

/** The occurrences of an alert that a deduplication by frequency still counts. */
export interface Counted {
  /** Moments of acceptance, the earliest first, at most `count`. */
  readonly kept: readonly Date[];
  /** Whether `count` of them were accepted within `withinMs` of each other, inclusive: the flow starts. */
  readonly reached: boolean;
}

/**
 * Counts one more occurrence, accepted at `at`, after those that were `kept` (P6). Occurrences may come in any order; where more
 * than `count` would be kept the earliest goes.
 */
export function counted(kept: readonly Date[], { count, withinMs }: Frequency, at: Date): Counted {
  const all = [...kept, at].toSorted((a, b) => a.getTime() - b.getTime());
  const reached = all.some((first, index) => {
    const last = all[index + count - 1];
    return last !== undefined && last.getTime() - first.getTime() <= withinMs;
  });
  return { kept: all.slice(-count), reached };
}

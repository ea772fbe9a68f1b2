import { durationMs } from '@tocsin/contracts';
import type { HoldPlan, PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** The hold of a policy with a deduplication: until the alert has occurred often enough (P6). */
export function deduplicating({ deduplication }: NotificationEffects, { label }: PlanContext): HoldPlan | undefined {
  if (deduplication === undefined) return undefined;
  const { type, count } = deduplication;
  const withinMs = type === 'frequency-based' ? durationMs(deduplication.duration) : undefined;
  return { kind: 'deduplication', policy: label, count, withinMs };
}

/** What a frequency-based deduplication waits for: `count` occurrences, accepted within `withinMs` of each other. */
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

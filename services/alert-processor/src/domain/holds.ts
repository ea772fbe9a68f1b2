import type { Alert, Hold } from './alert.ts';
import { counted } from './policies/deduplication.ts';
import type { HoldPlan } from './policies/judgement.ts';

/** The hold that `plan` puts on an alert whose first occurrence was accepted at `at`. */
export function heldBy(plan: HoldPlan, at: Date): Hold {
  if (plan.kind === 'delay') return { ...plan, isOver: false };
  const { withinMs, ...same } = plan;
  return { ...same, isOver: false, ...(withinMs !== undefined && { withinMs, occurrences: [at] }) };
}

/**
 * The hold of an alert after one more occurrence, accepted at `at`. The hold is over with the `count`-th occurrence, or
 * with the `count`-th of those accepted within `withinMs` of each other, in whatever order they come (P6).
 */
export function afterOccurrence({ count: occurred, hold }: Pick<Alert, 'count' | 'hold'>, at: Date): Hold | undefined {
  if (hold?.kind !== 'deduplication' || hold.isOver) return hold;
  const { count, occurrences = [], withinMs } = hold;
  if (withinMs === undefined) return occurred + 1 < count ? hold : { ...hold, isOver: true };
  const { kept, reached } = counted(occurrences, { count, withinMs }, at);
  return { ...hold, occurrences: kept, isOver: reached };
}

import type { PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** The suppression that a policy plans, as a clause for the log: the alert is kept, but nobody is told (P7). */
export function suppressing({ suppress }: NotificationEffects, { label }: PlanContext): string | undefined {
  return suppress ? `Policy ${label} suppresses notifications` : undefined;
}

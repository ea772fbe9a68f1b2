import type { PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** That nobody is ever told, as a clause for the log (P7): the alert itself is kept. */
export function suppressing({ suppress }: NotificationEffects, { label }: PlanContext): string | undefined {
  return suppress ? `Policy ${label} suppresses notifications` : undefined;
}

import { durationMs } from '@tocsin/contracts';
import type { FlowPlan, PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** The auto-close that a policy plans, counted from the alert's creation (P7). */
export function autoClosing({ autoClose }: NotificationEffects, { label }: PlanContext): FlowPlan['autoClose'] {
  return autoClose && { policy: label, afterMs: durationMs(autoClose.duration) };
}

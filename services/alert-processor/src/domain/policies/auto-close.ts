import { durationMs } from '@tocsin/contracts';
import type { FlowPlan, PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** When the alert is closed by itself, counted from its creation (P7). */
export function autoClosing({ autoClose }: NotificationEffects, { label }: PlanContext): FlowPlan['autoClose'] {
  return autoClose && { policy: label, afterMs: durationMs(autoClose.duration) };
}

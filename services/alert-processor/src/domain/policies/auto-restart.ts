import { durationMs } from '@tocsin/contracts';
import type { FlowPlan, PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** The restarts of the flow that a policy plans while nobody acknowledges the alert (P7). */
export function autoRestarting({ autoRestart }: NotificationEffects, { label }: PlanContext): FlowPlan['autoRestart'] {
  if (autoRestart === undefined) return undefined;
  return { policy: label, everyMs: durationMs(autoRestart.duration), times: autoRestart.maxRepeatCount };
}

import { durationMs } from '@tocsin/contracts';
import type { Asking } from './asking.ts';
import type { FlowPlan } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';

/** When the alert is closed by itself, counted from its creation (P7). */
export function autoClosing({ autoClose }: NotificationEffects, { label }: Asking): FlowPlan['autoClose'] {
  return autoClose && { policy: label, afterMs: durationMs(autoClose.duration) };
}

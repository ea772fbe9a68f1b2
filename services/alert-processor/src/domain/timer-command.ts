import type { IntegrationReference, TimerFired } from '@tocsin/contracts';
import { timerRequestId } from './alarms.ts';
import { SYSTEM } from './history.ts';

/** The principal of timers. It is no integration and has no team, so it may change every alert. */
const OURSELVES: IntegrationReference = { id: 'alert-processor', name: 'Tocsin', type: 'System' };

/** The command that a timer publishes when it is due. */
export function timerCommand(
  { alertId, fence, timerId }: { readonly timerId: string; readonly fence: number; readonly alertId: string },
  acceptedAt: Date,
): TimerFired {
  return {
    kind: 'timer',
    requestId: timerRequestId(timerId, fence),
    identifier: { type: 'id', value: alertId },
    integration: OURSELVES,
    actor: SYSTEM,
    source: SYSTEM,
    acceptedAt: acceptedAt.toISOString(),
    timerId,
    fence: String(fence),
  };
}

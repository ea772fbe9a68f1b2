import type { AlertEvent, Cancel, Erase } from '@tocsin/events';
import type { EscalationState } from './escalation-state.ts';

/**
 * The cancels of an event that ends earlier pages (U5): one for each user whom the alert has paged. A user whose pages have all ended gets
 * one too, because a redriven page may reach the notifier after its cancel: the next cancel ends it.
 */
export function cancelsOf(
  { alert, reached }: EscalationState,
  { alertId, state, version }: AlertEvent,
): readonly (Cancel | Erase)[] {
  if (state.status === 'deleted') return erasesOf(alertId, reached);
  const end = endOf(alert, state);
  if (end === undefined) return [];
  return reached.map((userId) => ({ kind: 'cancel', alertId, userId, alertVersion: version, ...end }));
}

/** The erases of a deleted alert: one for each user who was paged about it, and a last one for the rest. */
export const erasesOf = (alertId: string, reached: readonly string[]): readonly Erase[] => [
  ...reached.map((userId) => ({ kind: 'erase' as const, alertId, userId })),
  { kind: 'erase', alertId },
];

/** The earlier pages that a change of an alert ends, and the reason; undefined where it ends none. */
function endOf(
  before: EscalationState['alert'],
  after: EscalationState['alert'],
): Pick<Cancel, 'on' | 'reason'> | undefined {
  if (after.status === 'closed')
    return before.status === 'closed' ? undefined : { on: 'close', reason: 'the alert was closed' };
  if (after.snoozed && !before.snoozed) return { on: 'close', reason: 'the alert was snoozed' };
  if (after.cycle !== before.cycle) return { on: 'close', reason: 'the notification flow has started again' };
  if (after.acknowledged && !before.acknowledged) return { on: 'ack', reason: 'the alert was acknowledged' };
  return undefined;
}

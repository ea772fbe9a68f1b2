import type { AlertCommand, IntegrationReference } from '@tocsin/contracts';
import type { AlertOrder } from '../../domain/runs/effects.ts';
import type { Run } from '../../domain/runs/run.ts';

/** The principal of an escalation's commands: no integration, so no team's rights bind it. */
const OURSELVES: IntegrationReference = { id: 'scheduling', name: 'Tocsin', type: 'System' };
const ACTOR = 'System';

/**
 * The orders of a run as commands of `at` about its present cycle. An order has its number from the transaction that gives it,
 * so its command has the same id whenever it is settled again.
 */
export function orderCommands(
  { alertId, cycle }: Run,
  orders: readonly AlertOrder[],
  at: Date,
): readonly AlertCommand[] {
  return orders.map(({ id, what }): AlertCommand => {
    const common = {
      requestId: id,
      identifier: { type: 'id' as const, value: alertId },
      integration: OURSELVES,
      actor: ACTOR,
      source: ACTOR,
      acceptedAt: at.toISOString(),
    };
    // Added responders stay in every cycle; all other orders are about the present one.
    return what.kind === 'add-responder' ? { ...common, ...what } : { ...common, ...what, cycle };
  });
}

import type { AlertCommand, IntegrationReference } from '@tocsin/contracts';
import type { AlertOrder } from '../../domain/runs/effects.ts';
import type { Run } from '../../domain/runs/run.ts';

/** The integration that these commands name. It belongs to no team, so the rights of no team limit them. */
const INTEGRATION: IntegrationReference = { id: 'scheduling', name: 'Tocsin', type: 'System' };
const ACTOR = 'System';

/**
 * The orders of a run as commands, accepted at `at`. An order's id follows from the run, so a batch that is settled twice gives
 * the same commands.
 */
export function orderCommands(
  { alert: { cycle }, alertId, trace }: Run,
  orders: readonly AlertOrder[],
  at: Date,
): readonly AlertCommand[] {
  return orders.map(({ id, what }): AlertCommand => {
    const common = {
      requestId: id,
      identifier: { type: 'id' as const, value: alertId },
      integration: INTEGRATION,
      actor: ACTOR,
      source: ACTOR,
      acceptedAt: at.toISOString(),
      ...(trace !== undefined && { trace }),
    };
    // Added responders stay in every cycle; all other orders are about the present one.
    return what.kind === 'add-responder' ? { ...common, ...what } : { ...common, ...what, cycle };
  });
}

import type { AlertCommand, IntegrationReference } from '@tocsin/contracts';
import type { AlertOrder } from '../../domain/runs/effects.ts';
import type { Run } from '../../domain/runs/run.ts';

/** In whose name an escalation acts: no integration's, so it is bound to no team. */
const OURSELVES: IntegrationReference = { id: 'scheduling', name: 'Tocsin', type: 'System' };
const ACTOR = 'System';

/**
 * The orders of a run as commands about its present cycle, given at `at`. Each run stamps as an instance of its own: its
 * orders are numbered in the transaction that gives them, so the same order is the same command whoever settles it again.
 */
export function orderCommands(
  { alertId, cycle }: Run,
  orders: readonly AlertOrder[],
  { at, partitionFor }: { readonly at: Date; readonly partitionFor: (key: string) => number },
): readonly AlertCommand[] {
  return orders.map(({ id, number, what }): AlertCommand => {
    const common = {
      requestId: id,
      identifier: { type: 'id' as const, value: alertId },
      integration: OURSELVES,
      actor: ACTOR,
      source: ACTOR,
      stamp: {
        instance: `scheduling-${alertId}`,
        partition: partitionFor(alertId),
        seq: number,
        acceptedAt: at.toISOString(),
      },
    };
    // Who was added stays, in whichever cycle; everything else is about the present one.
    return what.kind === 'add-responder' ? { ...common, ...what } : { ...common, ...what, cycle };
  });
}

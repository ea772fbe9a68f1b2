import { collectionOf, type Connection } from '@tocsin/persistence';
import { attemptIdOf } from '../domain/bundle.ts';
import { isFinal } from '../domain/delivery.ts';
import type { TakenDelivery } from '../ports/delivery-store.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoTurns } from './mongo-turns.ts';

/** Messages that were begun, by whether this process may hand them over; what has come to its end may be told in any case. */
interface Sorted {
  readonly toHandOver: readonly TakenDelivery[];
  /** Their turns may be another process's before they are sent: the transaction that began them took too long. */
  readonly late: readonly TakenDelivery[];
}

export function sortedByLease(decided: readonly TakenDelivery[], turns: Pick<MongoTurns, 'mayStart'>): Sorted {
  const { late = [], toHandOver = [] } = Object.groupBy(decided, ({ delivery, turn }) =>
    isFinal(delivery) || turns.mayStart(turn) ? 'toHandOver' : 'late',
  );
  return { toHandOver, late };
}

/**
 * Lets messages wait again that were begun and not sent. That counts as no try: where the database is slow each time, a message
 * would fail in the end that was never sent. Whoever has taken one over meanwhile keeps it. Where the database is away they stay
 * as they are, and count as cut (U7). Never rejects.
 */
export async function takeBack(
  late: readonly TakenDelivery[],
  connection: Connection,
  turns: Pick<MongoTurns, 'forget' | 'release'>,
): Promise<void> {
  if (late.length === 0) return;
  const deliveries = late.flatMap(({ delivery, others = [] }) => [delivery, ...others]);
  const attempts = new Map(late.map(({ delivery, turn }) => [turn.id, [attemptIdOf(delivery)]]));
  try {
    await collectionOf<DeliveryDocument>(connection, DELIVERIES).bulkWrite(
      deliveries.map(({ attempts: attempt, deliveryId, postponements = 0 }) => ({
        updateOne: {
          filter: { _id: deliveryId, state: 'sending' as const, attempts: attempt },
          update: { $set: { state: 'waiting' as const, postponements: postponements + 1 } },
        },
      })),
      { ordered: false },
    );
    await turns.forget(attempts);
    await turns.release(late.map(({ turn }) => turn));
  } catch {
    // Their leases pass, and whoever claims the turns next sends them again.
  }
}

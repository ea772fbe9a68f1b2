import { collectionOf, type Connection } from '@tocsin/persistence';
import { attemptIdOf } from '../domain/next-message.ts';
import type { TakenDelivery } from '../ports/delivery-store.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoTurns } from './mongo-turns.ts';

/**
 * Lets messages wait again that were begun and not sent. That counts as no try: where the database is slow each time, a message
 * would fail in the end that was never sent. Whoever has taken one over meanwhile keeps it. Where the database is away they stay
 * as they are, and count as cut (U7). Never rejects.
 */
export async function takeBack(
  late: readonly TakenDelivery[],
  connection: Connection,
  turns: Pick<MongoTurns, 'forget' | 'leases'>,
): Promise<void> {
  if (late.length === 0) return;
  const deliveries = late.flatMap(({ delivery, others = [] }) => [delivery, ...others]);
  const attempts = new Map(late.map(({ delivery, turn }) => [turn.id, [attemptIdOf(delivery)]]));
  try {
    await collectionOf<DeliveryDocument>(connection, DELIVERIES).bulkWrite(
      deliveries.map(({ attempts: attempt, deliveryId, postponements }) => ({
        updateOne: {
          filter: { _id: deliveryId, state: 'sending' as const, attempts: attempt },
          update: { $set: { state: 'waiting' as const, postponements: postponements + 1 } },
        },
      })),
      { ordered: false },
    );
    await turns.forget(attempts);
    await turns.leases.release(late.map(({ turn }) => turn));
  } catch {
    // Their leases pass, and whoever claims the turns next sends them again.
  }
}

import { Decisions } from '@tocsin/events';
import { collectionOf, type Connection, inTransaction, type Outbox, type Session, whenCommitted } from '@tocsin/mongo';
import { subjectOf, ofUser, type UserDelivery } from '../messages/delivery.ts';
import { queueIdOf } from '../queue/recipient-queue.ts';
import type { ReceiptChange } from './receipt.ts';
import {
  DELIVERY_FIELDS,
  type DeliveryDocument,
  deliveryUpdate,
  fromDelivery,
  toDelivery,
  DELIVERIES,
} from '../messages/delivery-document.ts';
import type { RecipientQueues } from '../queue/recipient-queue-store.ts';

/** The most rows whose content one call removes. */
const BATCH_SIZE = 500;

export interface ReceiptStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly queues: Pick<RecipientQueues, 'enqueue'>;
  /** Called when messages may wait. */
  readonly onWaiting: () => void;
}

/** Writes receipts to deliveries. */
export class ReceiptStore {
  readonly #parts: ReceiptStoreParts;

  constructor(parts: ReceiptStoreParts) {
    this.#parts = parts;
  }

  /**
   * Calls `decide` with each delivery of a message and writes the returned changes, in one transaction. The result of an attempt that
   * is still under way then no longer counts. `decide` may be called again. `id` is that of a delivery or of a bundle. Resolves with an
   * empty list without such a message.
   */
  async receive<C extends ReceiptChange>(
    id: string,
    now: Date,
    decide: (delivery: UserDelivery) => C,
  ): Promise<readonly C[]> {
    const { connection } = this.#parts;
    const received = await inTransaction(connection, async (session) => {
      // A page without a message has a row without a state.
      const stored = await this.#deliveries()
        .find(
          { $or: [{ _id: id }, { 'bundle.id': id }], state: { $exists: true } },
          { session, projection: DELIVERY_FIELDS },
        )
        .toArray();
      const changes: C[] = [];
      for (const before of stored.map(toDelivery).map(ofUser)) {
        const change = decide(before);
        await this.#write(before, change, { now, session });
        changes.push(change);
      }
      return changes;
    });
    return received;
  }

  /** Removes content that was kept for receipts until `until` or before, of one batch; resolves with their number. */
  async forget(until: Date): Promise<number> {
    const rows = this.#deliveries();
    const over = { keptUntil: { $exists: true, $lte: until } };
    const found = await rows.find(over, { projection: DELIVERY_FIELDS, limit: BATCH_SIZE }).toArray();
    if (found.length === 0) return 0;
    // A row that was changed meanwhile has no content any more.
    await rows.bulkWrite(
      found.map((document) => ({
        updateOne: {
          filter: { _id: document._id, ...over },
          update: { $set: subjectOf(toDelivery(document)), $unset: { keptUntil: 1 } },
        },
      })),
      { ordered: false },
    );
    return found.length < BATCH_SIZE ? 0 : found.length;
  }

  async #write(
    { attempts, deliveryId, state }: UserDelivery,
    { decision, delivery, successor }: ReceiptChange,
    { now, session }: { readonly now: Date; readonly session: Session },
  ): Promise<void> {
    const { onWaiting, outbox, queues } = this.#parts;
    if (delivery !== undefined)
      await this.#deliveries().updateOne({ _id: deliveryId, state, attempts }, deliveryUpdate(delivery, { now }), {
        session,
      });
    if (successor !== undefined) {
      await queues.enqueue(new Map([[queueIdOf(successor), now]]), session);
      await this.#deliveries().insertOne(fromDelivery(successor, now), { session });
      whenCommitted(session, onWaiting, onWaiting);
    }
    if (decision !== undefined) await outbox.add(session, Decisions, [decision]);
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

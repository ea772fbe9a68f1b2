import { Decisions } from '@tocsin/contracts';
import {
  collectionOf,
  inTransaction,
  whenCommitted,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import { subjectOf } from '../domain/delivery-subject.ts';
import type { Delivery } from '../domain/delivery.ts';
import { turnOf } from '../domain/turn.ts';
import type { ReceiptChange, ReceiptStore } from '../ports/receipt-store.ts';
import {
  DELIVERY_FIELDS,
  deliveryUpdate,
  fromDelivery,
  toDelivery,
  type DeliveryDocument,
} from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoTurns } from './mongo-turns.ts';

/** Most rows that one call rids of their content. */
const LOT = 500;

export interface MongoReceiptStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly turns: Pick<MongoTurns, 'enqueue'>;
  /** Called when there is something to hand over. */
  readonly onWaiting: () => void;
}

/** Deliveries that receipts move on, in MongoDB. */
export class MongoReceiptStore implements ReceiptStore {
  readonly #parts: MongoReceiptStoreParts;

  constructor(parts: MongoReceiptStoreParts) {
    this.#parts = parts;
  }

  async receive<C extends ReceiptChange>(
    id: string,
    now: Date,
    decide: (delivery: Delivery) => C,
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
      for (const before of stored.map(toDelivery)) {
        const change = decide(before);
        await this.#write(before, change, { now, session });
        changes.push(change);
      }
      return changes;
    });
    return received;
  }

  async forget(until: Date): Promise<number> {
    const rows = this.#deliveries();
    const over = { keptUntil: { $exists: true, $lte: until } };
    const found = await rows.find(over, { projection: DELIVERY_FIELDS, limit: LOT }).toArray();
    if (found.length === 0) return 0;
    // A row that was moved on meanwhile has no content any more.
    await rows.bulkWrite(
      found.map((document) => ({
        updateOne: {
          filter: { _id: document._id, ...over },
          update: { $set: subjectOf(toDelivery(document)), $unset: { keptUntil: 1 } },
        },
      })),
      { ordered: false },
    );
    return found.length < LOT ? 0 : found.length;
  }

  async #write(
    { attempts, deliveryId, state }: Delivery,
    { decision, delivery, successor }: ReceiptChange,
    { now, session }: { readonly now: Date; readonly session: Session },
  ): Promise<void> {
    const { onWaiting, outbox, turns } = this.#parts;
    if (delivery !== undefined)
      await this.#deliveries().updateOne({ _id: deliveryId, state, attempts }, deliveryUpdate(delivery, { now }), {
        session,
      });
    if (successor !== undefined) {
      await turns.enqueue(new Map([[turnOf(successor), now]]), session);
      await this.#deliveries().insertOne(fromDelivery(successor, now), { session });
      whenCommitted(session, onWaiting, onWaiting);
    }
    if (decision !== undefined) await outbox.add(session, Decisions, [decision]);
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

import { randomUUID } from 'node:crypto';
import type { Decision, Page } from '@tocsin/events';
import { collectionOf, type Connection, type Session, whenCommitted, type WriteGate } from '@tocsin/mongo';
import { beginAtInsertion, dueInIdleQueues } from './begin-at-insertion.ts';
import { beginResultOf, type BundleLimits, recentMessages, splitByLease } from './next-message.ts';
import { type Delivery, isFinal } from '../messages/delivery.ts';
import type { Repetition } from '../pages/repetition.ts';
import { type DeliveryChange, type Slots } from './message-result.ts';
import { earlier, later, queueIdOf } from './recipient-queue.ts';
import {
  type DeliveryDocument,
  fromDelivery,
  fromPage,
  fromRepetition,
  type PageDocument,
  DELIVERIES,
} from '../messages/delivery-document.ts';
import type { RecipientQueues } from './recipient-queue-store.ts';
import { releaseUnsent } from './delivery-store.ts';

export interface NewDeliveriesParts {
  readonly connection: Connection;
  readonly queues: RecipientQueues;
  readonly bundles: BundleLimits;
  /** Called when messages may wait. */
  readonly onWaiting: () => void;
}

/** A page that is new, with its next repetition. */
export interface NewPage {
  readonly page: Page;
  readonly next: Repetition | undefined;
}

type Row = DeliveryDocument | PageDocument;

/** Inserts new deliveries: each waits in its queue, or is begun as it is inserted. */
export class NewDeliveries {
  readonly #parts: NewDeliveriesParts;

  constructor(parts: NewDeliveriesParts) {
    this.#parts = parts;
  }

  /** For the transactions to which deliveries are added. */
  get gate(): WriteGate {
    return this.#parts.queues.gate;
  }

  /**
   * Adds new deliveries to the transaction and to their queues. A message that is due at once is begun where its queue is free,
   * and sent once the transaction is committed. `pages` are the new pages: each has a row, which is that of its first
   * delivery where it has one. Resolves with the decisions about the begun messages.
   */
  async add(
    deliveries: readonly Delivery[],
    { pages = [], session, slots }: { pages?: readonly NewPage[]; session: Session; slots: Slots },
  ): Promise<readonly Decision[]> {
    if (deliveries.length + pages.length === 0) return [];
    const { bundles, connection, onWaiting, queues } = this.#parts;
    const { now } = slots;
    const changesByQueue = await this.#beginAtOnce(deliveries, slots, session);
    const changes = [...changesByQueue.values()].flat();
    const changed = new Map(changes.map(({ delivery }) => [delivery.deliveryId, delivery]));
    const added = deliveries.map((delivery) => changed.get(delivery.deliveryId) ?? delivery);
    const token = randomUUID();
    const { begun, ended } = beginResultOf(
      [...changesByQueue].map(([id, ofQueue]) => ({ queue: { id, token }, changes: ofQueue })),
    );
    await queues.enqueue(firstDueAt(added, now), session, {
      claimed: begun.map(({ queue }) => queue),
      recent: recentMessages(begun, bundles, now),
    });
    await collectionOf<Row>(connection, DELIVERIES).insertMany([...rowsOf(added, pages, now)], { session });
    const committed = (): void => {
      const { late, toHandOver } = splitByLease(begun, queues.leases);
      slots.handOver({ begun: toHandOver, ended });
      void releaseUnsent(late, connection, queues).then(onWaiting);
    };
    whenCommitted(session, committed, onWaiting);
    return changes.flatMap(({ decision }) => decision ?? []);
  }

  async #beginAtOnce(
    deliveries: readonly Delivery[],
    slots: Slots,
    session: Session,
  ): Promise<ReadonlyMap<string, readonly DeliveryChange[]>> {
    if (slots.free === 0) return new Map();
    const { now } = slots;
    const recent = await this.#parts.queues.findIdle([...new Set(deliveries.map(queueIdOf))], now, session);
    const due = dueInIdleQueues(deliveries, recent, now);
    return beginAtInsertion(due, { recent, limits: this.#parts.bundles }, slots);
  }
}

/** One row for each delivery, and for each page that has none. */
function rowsOf(deliveries: readonly Delivery[], pages: readonly NewPage[], now: Date): Iterable<Row> {
  const rows = new Map<string, Row>(deliveries.map((each) => [each.deliveryId, fromDelivery(each, now)]));
  for (const { next, page } of pages) {
    const row = rows.get(page.pageId) ?? fromPage(page, now);
    rows.set(page.pageId, next === undefined ? row : { ...row, ...fromRepetition(next) });
  }
  return rows.values();
}

/** Queue id -> when its first delivery is due, and not before now, so that it overtakes no queue that waits already. */
function firstDueAt(deliveries: readonly Delivery[], now: Date): ReadonlyMap<string, Date> {
  const waiting = new Map<string, Date>();
  for (const delivery of deliveries.filter((each) => !isFinal(each))) {
    const [queue, at] = [queueIdOf(delivery), later(delivery.dueAt, now)];
    waiting.set(queue, earlier(at, waiting.get(queue)));
  }
  return waiting;
}

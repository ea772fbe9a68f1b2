import { randomUUID } from 'node:crypto';
import type { Decision, Page } from '@tocsin/contracts';
import { collectionOf, whenCommitted, type Connection, type RetryGate, type Session } from '@tocsin/persistence';
import { begunAtInsertion, dueOfIdle } from '../application/begun-at-insertion.ts';
import { begunMessages, sortedByLease, takenOf } from '../application/taken-deliveries.ts';
import type { BundleLimits } from '../domain/next-message.ts';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import type { Repetition } from '../domain/repetition.ts';
import { earlier, later, turnOf } from '../domain/turn.ts';
import type { DeliveryChange, Slots } from '../ports/delivery-store.ts';
import {
  fromDelivery,
  fromPage,
  fromRepetition,
  type DeliveryDocument,
  type PageDocument,
} from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoTurns } from './mongo-turns.ts';
import { takeBack } from './take-back.ts';

export interface MongoNewDeliveriesParts {
  readonly connection: Connection;
  readonly turns: MongoTurns;
  readonly standings: Pick<MongoAlertStandings, 'ofDeliveries'>;
  readonly bundles: BundleLimits;
  /** Called when there may be something to hand over. */
  readonly onWaiting: () => void;
}

/** A page that was not seen before, with its next repetition. */
export interface NewPage {
  readonly page: Page;
  readonly next: Repetition | undefined;
}

type Row = DeliveryDocument | PageDocument;

/** New deliveries in MongoDB: each waits for its person's turn, or is begun as it is inserted. */
export class MongoNewDeliveries {
  readonly #parts: MongoNewDeliveriesParts;

  constructor(parts: MongoNewDeliveriesParts) {
    this.#parts = parts;
  }

  /** For the transactions to which deliveries are added. */
  get gate(): RetryGate {
    return this.#parts.turns.gate;
  }

  /**
   * Adds new deliveries to the transaction, and lets their people wait for their turns. What is due at once is begun where it can
   * be, and started once the transaction is committed. `pages` are those that are new: each gets a row, which is that of its
   * first delivery where it has one. Answers the decisions about what was begun.
   */
  async add(
    deliveries: readonly Delivery[],
    { pages = [], session, slots }: { pages?: readonly NewPage[]; session: Session; slots: Slots },
  ): Promise<readonly Decision[]> {
    if (deliveries.length + pages.length === 0) return [];
    const { bundles, connection, onWaiting, turns } = this.#parts;
    const { now } = slots;
    const changesOf = await this.#begunAtOnce(deliveries, slots, session);
    const changes = [...changesOf.values()].flat();
    const changed = new Map(changes.map(({ delivery }) => [delivery.deliveryId, delivery]));
    const added = deliveries.map((delivery) => changed.get(delivery.deliveryId) ?? delivery);
    const token = randomUUID();
    const decided = [...changesOf].flatMap(([id, of]) => takenOf({ id, token }, of));
    const begun = decided.filter(({ delivery }) => !isFinal(delivery));
    await turns.enqueue(firstDueAt(added, now), session, {
      taken: begun.map(({ turn }) => turn),
      begun: begunMessages(begun, bundles, now),
    });
    await collectionOf<Row>(connection, DELIVERIES).insertMany([...rowsOf(added, pages, now)], { session });
    const committed = (): void => {
      const { late, toHandOver } = sortedByLease(decided, turns.leases);
      slots.start(toHandOver);
      void takeBack(late, connection, turns).then(onWaiting);
    };
    whenCommitted(session, committed, onWaiting);
    return changes.flatMap(({ decision }) => decision ?? []);
  }

  async #begunAtOnce(
    deliveries: readonly Delivery[],
    slots: Slots,
    session: Session,
  ): Promise<ReadonlyMap<string, readonly DeliveryChange[]>> {
    if (slots.free === 0) return new Map();
    const { now } = slots;
    const recent = await this.#parts.turns.idle([...new Set(deliveries.map(turnOf))], now, session);
    const due = dueOfIdle(deliveries, recent, now);
    const standings = await this.#parts.standings.ofDeliveries([...due.values()].flat(), session);
    return begunAtInsertion(due, { standings, recent, limits: this.#parts.bundles }, slots);
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

/** Turn -> when its first delivery is due, but not before now: nobody overtakes those who wait already. */
function firstDueAt(deliveries: readonly Delivery[], now: Date): ReadonlyMap<string, Date> {
  const waiting = new Map<string, Date>();
  for (const delivery of deliveries.filter((each) => !isFinal(each))) {
    const [turn, at] = [turnOf(delivery), later(delivery.dueAt, now)];
    waiting.set(turn, earlier(at, waiting.get(turn)));
  }
  return waiting;
}

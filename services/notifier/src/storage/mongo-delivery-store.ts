import { Decisions, type Decision } from '@tocsin/contracts';
import { collectionOf, inTransaction, type Connection, type Outbox, type Session } from '@tocsin/persistence';
import type { DueTimer, Timers } from '@tocsin/timers';
import { holds, isFinal, isNotice, type Delivery } from '../domain/delivery.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Conclusion, DeliveryChange, DeliveryStore } from '../ports/delivery-store.ts';
import { fromDelivery, lifeOf, toDelivery, type DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';

export type StepTimer = DueTimer<null>;

export interface MongoDeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  /** Where the timers of deliveries live; a timer's id is its delivery's. */
  readonly timers: Pick<Timers<null>, 'schedule' | 'remove'>;
  readonly standings: Pick<MongoAlertStandings, 'of'>;
}

/** Deliveries and their timers in MongoDB, each change with its decisions in one transaction. */
export class MongoDeliveryStore implements DeliveryStore<StepTimer> {
  readonly #parts: MongoDeliveryStoreParts;

  constructor(parts: MongoDeliveryStoreParts) {
    this.#parts = parts;
  }

  /** Adds new deliveries with their timers to the transaction. */
  async add(deliveries: readonly Delivery[], session: Session): Promise<void> {
    if (deliveries.length === 0) return;
    await this.#deliveries().insertMany(deliveries.map(fromDelivery), { session });
    const timers = deliveries.map(({ deliveryId, dueAt }) => timerOf(deliveryId, dueAt));
    await this.#parts.timers.schedule(session, timers);
  }

  async begin(
    claims: readonly StepTimer[],
    decide: (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange,
  ): Promise<readonly Delivery[]> {
    const { connection, outbox, timers } = this.#parts;
    const begun = await inTransaction(connection, async (session) => {
      const changes = await this.#decided(claims, decide, session);
      await this.#write(changes, session);
      const alive = new Set(
        changes.filter(({ delivery }) => !isFinal(delivery)).map((change) => change.delivery.deliveryId),
      );
      await timers.remove(
        claims.filter(({ id }) => !alive.has(id)),
        session,
      );
      return changes.map(({ delivery }) => delivery);
    });
    void outbox.flush();
    return begun;
  }

  async conclude(conclusions: readonly Conclusion<StepTimer>[]): Promise<readonly Conclusion<StepTimer>[]> {
    const { connection, outbox, timers } = this.#parts;
    const taken = await inTransaction(connection, async (session) => {
      const held = await this.#held(conclusions, session);
      await this.#write(held, session);
      await timers.remove(
        held.map(({ claim }) => claim),
        session,
      );
      const retries = held.flatMap(({ claim, retryAt }) => (retryAt === undefined ? [] : [timerOf(claim.id, retryAt)]));
      if (retries.length > 0) await timers.schedule(session, retries);
      return held;
    });
    void outbox.flush();
    return taken;
  }

  /** Those whose attempt holds its delivery; who takes one over meanwhile collides with the transaction. */
  async #held(
    conclusions: readonly Conclusion<StepTimer>[],
    session: Session,
  ): Promise<readonly Conclusion<StepTimer>[]> {
    const ids = conclusions.map(({ delivery }) => delivery.deliveryId);
    const documents = await this.#deliveries()
      .find({ _id: { $in: ids } }, { session })
      .toArray();
    const held = new Map(documents.map(toDelivery).map((delivery) => [delivery.deliveryId, delivery]));
    return conclusions.filter(({ delivery }) => {
      const stored = held.get(delivery.deliveryId);
      return stored !== undefined && holds(stored, delivery);
    });
  }

  async #decided(
    claims: readonly StepTimer[],
    decide: (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange,
    session: Session,
  ): Promise<readonly DeliveryChange[]> {
    const documents = await this.#deliveries()
      .find({ _id: { $in: claims.map(({ id }) => id) } }, { session })
      .toArray();
    const open = documents.map(toDelivery).filter((delivery) => !isFinal(delivery));
    const alertIds = open.flatMap((delivery) => alertIdOf(delivery) ?? []);
    const standings = await this.#parts.standings.of(alertIds, session);
    return open.map((delivery) => decide(delivery, standings.get(alertIdOf(delivery) ?? '')));
  }

  async #write(changes: readonly DeliveryChange[], session: Session): Promise<void> {
    if (changes.length === 0) return;
    await this.#deliveries().bulkWrite(
      changes.map(({ delivery }) => ({
        updateOne: { filter: { _id: delivery.deliveryId }, update: { $set: lifeOf(delivery) } },
      })),
      { session, ordered: false },
    );
    const decisions = changes.map(({ decision }) => decision).filter((each): each is Decision => each !== undefined);
    await this.#parts.outbox.add(session, Decisions, decisions);
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

const alertIdOf = (delivery: Delivery): string | undefined => (isNotice(delivery) ? undefined : delivery.page.alertId);

const timerOf = (id: string, dueAt: Date) => ({ id, dueAt, fence: 0, payload: null });

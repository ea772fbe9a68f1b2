import type { Clock } from '@tocsin/clock';
import { Decisions, type Decision } from '@tocsin/contracts';
import {
  collectionOf,
  inTransaction,
  whenCommitted,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import { holds, isFinal, isNotice, type Delivery } from '../domain/delivery.ts';
import { turnOf } from '../domain/turn.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Conclusion, DeliveryChange, DeliveryStore, TakenDelivery, Turn } from '../ports/delivery-store.ts';
import { DELIVERY_FIELDS, fromDelivery, lifeOf, toDelivery, type DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES, TURNS } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoTurns } from './mongo-turns.ts';

export interface MongoDeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly turns: MongoTurns;
  readonly standings: Pick<MongoAlertStandings, 'of'>;
  readonly clock: Clock;
  /** Told once there may be something to hand over. */
  readonly onWaiting: () => void;
}

/** Deliveries and the turns they wait for in MongoDB, each change with its decisions in one transaction. */
export class MongoDeliveryStore implements DeliveryStore {
  readonly #parts: MongoDeliveryStoreParts;

  constructor(parts: MongoDeliveryStoreParts) {
    this.#parts = parts;
  }

  /**
   * Lets the people of new deliveries wait for their turns. Before anything else of a transaction that adds deliveries: what
   * is written for one person now and then collides here, while little is lost. A call for nothing ends by itself.
   */
  async call(deliveries: readonly Delivery[], session: Session): Promise<void> {
    const { clock, onWaiting, turns } = this.#parts;
    const now = clock.now();
    const waiting = new Map<string, Date>();
    for (const delivery of deliveries) {
      const [turn, at] = [turnOf(delivery), later(delivery.dueAt, now)];
      waiting.set(turn, earlier(at, waiting.get(turn)));
    }
    await turns.call(waiting, session);
    if (waiting.size > 0) whenCommitted(session, onWaiting, onWaiting);
  }

  /** Adds new deliveries to the transaction, whose people were called in it. */
  async add(deliveries: readonly Delivery[], session: Session): Promise<void> {
    if (deliveries.length > 0) await this.#deliveries().insertMany(deliveries.map(fromDelivery), { session });
  }

  async claim(now: Date, most: number): Promise<readonly Turn[]> {
    return this.#parts.turns.claim(now, most);
  }

  async keep(turns: readonly Turn[]): Promise<boolean> {
    await this.#parts.turns.renew(turns);
    return this.#parts.turns.freeExpired();
  }

  async release(turns: readonly Turn[]): Promise<void> {
    await this.#parts.turns.release(turns);
  }

  async begin(
    turns: readonly Turn[],
    now: Date,
    decide: (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange,
  ): Promise<readonly TakenDelivery[]> {
    const { connection, outbox } = this.#parts;
    const firsts = await this.#firstsOf(turns, now);
    const taken = await inTransaction(connection, async (session) => {
      const held = await this.#parts.turns.held(turns, session);
      const open = await this.#open(firsts, session);
      const byTurn = new Map(open.map((delivery) => [turnOf(delivery), delivery]));
      const standings = await this.#standingsOf(open, session);
      const changes = held.flatMap((turn) => {
        const before = byTurn.get(turn.id);
        if (before === undefined) return [];
        return [{ turn, before, ...decide(before, standings.get(alertIdOf(before) ?? '')) }];
      });
      await this.#write(changes, { now, session });
      const sent = new Set(changes.filter(({ delivery }) => !isFinal(delivery)).map(({ turn }) => turn));
      await this.#end(
        held.filter((turn) => !sent.has(turn)),
        { now, session },
      );
      return changes.map(({ delivery, turn }) => ({ delivery, turn }));
    });
    void outbox.flush();
    return taken;
  }

  async conclude(conclusions: readonly Conclusion[], now: Date): Promise<readonly Conclusion[]> {
    const { connection, outbox } = this.#parts;
    let taken = conclusions;
    while (taken.length > 0 && !(await this.#concludeAll(taken, now))) taken = await this.#ofHolders(connection, taken);
    void outbox.flush();
    return taken;
  }

  /** Writes all of `conclusions`, or none where an attempt does not hold its delivery any more; whether it did. */
  async #concludeAll(conclusions: readonly Conclusion[], now: Date): Promise<boolean> {
    try {
      await inTransaction(this.#parts.connection, async (session) => {
        const changes = conclusions.map((change) => ({ ...change, before: sending(change.delivery) }));
        if ((await this.#write(changes, { now, session })) < conclusions.length) throw new StaleResult();
        const turns = conclusions.map(({ turn }) => turn);
        await this.#end(turns, { now, session });
      });
      return true;
    } catch (error) {
      if (error instanceof StaleResult) return false;
      throw error;
    }
  }

  async #ofHolders(connection: Connection, conclusions: readonly Conclusion[]): Promise<readonly Conclusion[]> {
    const ids = conclusions.map(({ delivery }) => delivery.deliveryId);
    const documents = await collectionOf<DeliveryDocument>(connection, DELIVERIES)
      .find({ _id: { $in: ids } }, { projection: DELIVERY_FIELDS, readPreference: 'primary', readConcern: 'majority' })
      .toArray();
    const stored = new Map(documents.map((document) => [document._id, toDelivery(document)]));
    return conclusions.filter(({ delivery }) => {
      const held = stored.get(delivery.deliveryId);
      return held !== undefined && holds(held, delivery);
    });
  }

  /** What each person is told next of what is due, in one command. Nobody else takes it: the turns are ours. */
  async #firstsOf(turns: readonly Turn[], now: Date): Promise<readonly string[]> {
    const first = [
      { $match: { nextAt: { $lte: now } } },
      { $sort: { rank: 1, nextAt: 1, _id: 1 } },
      { $limit: 1 },
      { $project: { _id: 1 } },
    ];
    const found = await collectionOf(this.#parts.connection, TURNS)
      .aggregate<{ readonly first: readonly { readonly _id: string }[] }>([
        { $match: { _id: { $in: turns.map(({ id }) => id) } } },
        { $lookup: { from: DELIVERIES, localField: '_id', foreignField: 'turn', pipeline: first, as: 'first' } },
        { $project: { _id: 0, first: 1 } },
      ])
      .toArray();
    return found.flatMap(({ first: [delivery] }) => delivery?._id ?? []);
  }

  async #open(ids: readonly string[], session: Session): Promise<readonly Delivery[]> {
    if (ids.length === 0) return [];
    const documents = await this.#deliveries()
      .find({ _id: { $in: [...ids] } }, { projection: DELIVERY_FIELDS, session })
      .toArray();
    return documents.map(toDelivery).filter((delivery) => !isFinal(delivery));
  }

  async #standingsOf(deliveries: readonly Delivery[], session: Session) {
    return this.#parts.standings.of(
      deliveries.flatMap((delivery) => alertIdOf(delivery) ?? []),
      session,
    );
  }

  /** Answers how many were still as they were before. */
  async #write(
    changes: readonly (DeliveryChange & { readonly before: Pick<Delivery, 'state' | 'attempts'> })[],
    { now, session }: { now: Date; session: Session },
  ): Promise<number> {
    if (changes.length === 0) return 0;
    const { matchedCount } = await this.#deliveries().bulkWrite(
      changes.map(({ before: { attempts, state }, delivery, retryAt }) => ({
        updateOne: {
          filter: { _id: delivery.deliveryId, state, attempts },
          update: lifeOf(delivery, { now, retryAt }),
        },
      })),
      { session, ordered: false },
    );
    const decisions = changes.map(({ decision }) => decision).filter((each): each is Decision => each !== undefined);
    await this.#parts.outbox.add(session, Decisions, decisions);
    return matchedCount;
  }

  /** Ends turns; who has more to hear waits behind all who wait now. */
  async #end(turns: readonly Turn[], { now, session }: { now: Date; session: Session }): Promise<void> {
    if (turns.length === 0) return;
    const found = await this.#deliveries()
      .aggregate<{ readonly _id: string; readonly nextAt: Date }>(
        [
          { $match: { turn: { $in: turns.map(({ id }) => id) } } },
          { $sort: { turn: 1, nextAt: 1 } },
          { $group: { _id: '$turn', nextAt: { $first: '$nextAt' } } },
        ],
        { session },
      )
      .toArray();
    const next = new Map(found.map(({ _id, nextAt }) => [_id, later(nextAt, now)]));
    await this.#parts.turns.end(
      turns.map((turn) => ({ turn, nextAt: next.get(turn.id) })),
      session,
    );
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

/** Ends a transaction that must leave nothing behind. */
class StaleResult extends Error {}

const sending = ({ attempts }: Delivery) => ({ state: 'sending' as const, attempts });

const later = (one: Date, other: Date): Date => (one > other ? one : other);

const earlier = (one: Date, other: Date | undefined): Date => (other !== undefined && other < one ? other : one);

const alertIdOf = (delivery: Delivery): string | undefined => (isNotice(delivery) ? undefined : delivery.page.alertId);

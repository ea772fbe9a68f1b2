import { Decisions, type ContactMethod } from '@tocsin/contracts';
import { collectionOf, inTransaction, type Connection, type Outbox, type Session } from '@tocsin/persistence';
import { holds, isFinal, type Delivery } from '../domain/delivery.ts';
import type {
  Concluded,
  Conclusion,
  Decide,
  DeliveryChange,
  DeliveryStore,
  TakenDelivery,
  Turn,
} from '../ports/delivery-store.ts';
import {
  alertIdOf,
  DELIVERY_FIELDS,
  fromDelivery,
  lifeOf,
  toDelivery,
  type DeliveryDocument,
} from './delivery-document.ts';
import { DELIVERIES, TURNS } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoTurns } from './mongo-turns.ts';

export interface MongoDeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly turns: MongoTurns;
  readonly standings: Pick<MongoAlertStandings, 'ofDeliveries'>;
}

interface Writing {
  readonly now: Date;
  readonly session: Session;
}

/** What was decided about the delivery with which a turn begins or goes on. */
interface BegunChange extends DeliveryChange, TakenDelivery {
  readonly before: Delivery;
}

/** Deliveries and the turns they wait for in MongoDB, each change with its decisions in one transaction. */
export class MongoDeliveryStore implements DeliveryStore {
  readonly #parts: MongoDeliveryStoreParts;

  constructor(parts: MongoDeliveryStoreParts) {
    this.#parts = parts;
  }

  async claim(now: Date, most: number, except?: readonly ContactMethod[]): Promise<readonly Turn[]> {
    return this.#parts.turns.claim(now, most, except);
  }

  async keep(turns: readonly Turn[]): Promise<boolean> {
    await this.#parts.turns.renew(turns);
    return this.#parts.turns.freeExpired();
  }

  async release(turns: readonly Turn[]): Promise<void> {
    await this.#parts.turns.release(turns);
  }

  async begin(turns: readonly Turn[], now: Date, decide: Decide): Promise<readonly TakenDelivery[]> {
    const { connection, outbox } = this.#parts;
    const taken = await inTransaction(connection, async (session) => {
      const { held, changes } = await this.#decided(turns, decide, { now, session });
      await this.#write(changes, { now, session });
      await this.#end(unsent(held, changes), { now, session });
      return changes;
    });
    void outbox.flush();
    return this.#toHandOver(taken);
  }

  async conclude(conclusions: readonly Conclusion[], now: Date, decide?: Decide): Promise<Concluded> {
    const { connection, outbox } = this.#parts;
    for (let taken = conclusions; taken.length > 0; taken = await this.#ofHolders(connection, taken)) {
      const next = await this.#concludeAll(taken, now, decide);
      if (next === undefined) continue;
      void outbox.flush();
      return { taken, next };
    }
    return { taken: [], next: [] };
  }

  /** Writes all of `conclusions`, or none where an attempt does not hold its delivery any more; then undefined. */
  async #concludeAll(
    conclusions: readonly Conclusion[],
    now: Date,
    decide: Decide | undefined,
  ): Promise<readonly TakenDelivery[] | undefined> {
    const results = conclusions.map((change) => ({ ...change, before: sending(change.delivery) }));
    const turns = conclusions.map(({ turn }) => turn);
    const concluded = new Set(conclusions.map(({ delivery }) => delivery.deliveryId));
    try {
      const next = await inTransaction(this.#parts.connection, async (session) => {
        await this.#insert(
          conclusions.flatMap(({ successor }) => successor ?? []),
          { now, session },
        );
        const { changes } =
          decide === undefined ? { changes: [] } : await this.#decided(turns, decide, { now, session }, concluded);
        const all = [...results, ...changes];
        if ((await this.#write(all, { now, session })) < all.length) throw new StaleResult();
        await this.#end(unsent(turns, changes), { now, session });
        return changes;
      });
      return this.#toHandOver(next);
    } catch (error) {
      if (error instanceof StaleResult) return undefined;
      throw error;
    }
  }

  /** One that is there already changes nothing: the result that led to it is stale, and the transaction leaves nothing. */
  async #insert(successors: readonly Delivery[], { now, session }: Writing): Promise<void> {
    if (successors.length === 0) return;
    await this.#deliveries().bulkWrite(
      successors.map((delivery) => {
        const { _id, ...row } = fromDelivery(delivery, now);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
      }),
      { session, ordered: false },
    );
  }

  #toHandOver(changes: readonly BegunChange[]): readonly TakenDelivery[] {
    return this.#parts.turns.toHandOver(changes.map(({ delivery, turn }) => ({ delivery, turn })));
  }

  /**
   * Which of the turns are still held, and what is decided about the first delivery of each that is due: but for those that are
   * `concluded` in the same transaction.
   */
  async #decided(
    turns: readonly Turn[],
    decide: Decide,
    { now, session }: Writing,
    concluded: ReadonlySet<string> = new Set(),
  ): Promise<{ readonly held: readonly Turn[]; readonly changes: readonly BegunChange[] }> {
    const firsts = await this.#firstsOf(turns, { now, session }, concluded);
    const held = turns.filter(({ id, token }) => firsts.get(id)?.token === token);
    const standings = await this.#parts.standings.ofDeliveries(
      [...firsts.values()].flatMap(({ delivery }) => delivery ?? []),
      session,
    );
    const changes = held.flatMap((turn) => {
      const before = firsts.get(turn.id)?.delivery;
      return before === undefined ? [] : [{ turn, before, ...decide(before, standings.get(alertIdOf(before) ?? '')) }];
    });
    return { held, changes };
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

  /** Of each turn its token and what its person is told next of what is due, in one command. */
  async #firstsOf(
    turns: readonly Turn[],
    { now, session }: Writing,
    concluded: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, { readonly token: string | null; readonly delivery: Delivery | undefined }>> {
    const first = [
      { $match: { nextAt: { $lte: now }, ...(concluded.size > 0 && { _id: { $nin: [...concluded] } }) } },
      { $sort: { rank: 1, nextAt: 1, _id: 1 } },
      { $limit: 1 },
      { $project: DELIVERY_FIELDS },
    ];
    const found = await collectionOf(this.#parts.connection, TURNS)
      .aggregate<{ readonly _id: string; readonly token: string | null; readonly first: readonly DeliveryDocument[] }>(
        [
          { $match: { _id: { $in: turns.map(({ id }) => id) } } },
          { $lookup: { from: DELIVERIES, localField: '_id', foreignField: 'turn', pipeline: first, as: 'first' } },
          { $project: { token: 1, first: 1 } },
        ],
        { session },
      )
      .toArray();
    return new Map(
      found.map(({ _id, token, first: [document] }) => [
        _id,
        { token, delivery: document === undefined ? undefined : toDelivery(document) },
      ]),
    );
  }

  /** Answers how many were still as they were before. */
  async #write(
    changes: readonly (DeliveryChange & { readonly before: Pick<Delivery, 'state' | 'attempts'> })[],
    { now, session }: Writing,
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
    const decisions = changes.flatMap(({ decision }) => decision ?? []);
    await this.#parts.outbox.add(session, Decisions, decisions);
    return matchedCount;
  }

  /** Ends turns; who has more to hear waits behind all who wait now. */
  async #end(turns: readonly Turn[], { now, session }: Writing): Promise<void> {
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
    const next = new Map(found.map(({ _id, nextAt }) => [_id, nextAt > now ? nextAt : now]));
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

/** The turns of which nothing is sent. */
function unsent(turns: readonly Turn[], changes: readonly TakenDelivery[]): readonly Turn[] {
  const sent = new Set(changes.filter(({ delivery }) => !isFinal(delivery)).map(({ turn }) => turn));
  return turns.filter((turn) => !sent.has(turn));
}

const sending = ({ attempts }: Delivery) => ({ state: 'sending' as const, attempts });

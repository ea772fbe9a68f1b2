import { Decisions, VerificationEvents, type ContactMethod } from '@tocsin/contracts';
import { collectionOf, forTopic, inTransaction, type Connection, type Outbox, type Session } from '@tocsin/persistence';
import { sortedByLease } from '../application/taken-deliveries.ts';
import { hasManyPages } from '../domain/bundle.ts';
import { attemptIdOf, hasReachedNobody, type BundleLimits } from '../domain/next-message.ts';
import { holds } from '../domain/attempts.ts';
import { isPage, type Delivery } from '../domain/delivery.ts';
import type {
  Concluded,
  Conclusion,
  Decide,
  DeliveryChange,
  DeliveryResult,
  DeliveryStore,
  TakenDelivery,
  Turn,
} from '../ports/delivery-store.ts';
import {
  DELIVERY_FIELDS,
  deliveryUpdate,
  fromDelivery,
  toDelivery,
  type DeliveryDocument,
} from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import { MongoNextMessages } from './mongo-next-messages.ts';
import { MongoTurnEnds } from './mongo-turn-ends.ts';
import type { MongoTurns } from './mongo-turns.ts';
import { MongoWaiting, withWholePage } from './mongo-waiting.ts';
import { takeBack } from './take-back.ts';

export interface MongoDeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly turns: MongoTurns;
  readonly standings: Pick<MongoAlertStandings, 'ofDeliveries'>;
  readonly bundles: BundleLimits;
}

interface WriteContext {
  readonly now: Date;
  readonly session: Session;
}

/** What became of one delivery in a turn. */
interface TurnResult extends DeliveryResult {
  readonly turn: Turn;
}

/** Deliveries and the turns they wait for in MongoDB, each change with its decisions in one transaction. */
export class MongoDeliveryStore implements DeliveryStore {
  readonly #parts: MongoDeliveryStoreParts;
  readonly #waiting: MongoWaiting;
  readonly #nextMessages: MongoNextMessages;
  readonly #turnEnds: MongoTurnEnds;

  constructor(parts: MongoDeliveryStoreParts) {
    const { bundles, connection, standings, turns } = parts;
    this.#parts = parts;
    this.#waiting = new MongoWaiting(connection, bundles);
    this.#nextMessages = new MongoNextMessages({ leases: turns.leases, waiting: this.#waiting, standings, bundles });
    this.#turnEnds = new MongoTurnEnds({ turns, waiting: this.#waiting, bundles });
  }

  async claim(now: Date, most: number, except?: readonly ContactMethod[]): Promise<readonly Turn[]> {
    return this.#parts.turns.leases.claim(now, most, except);
  }

  async keep(turns: readonly Turn[]): Promise<boolean> {
    await this.#parts.turns.leases.renew(turns);
    return this.#parts.turns.leases.freeExpired();
  }

  mayStart(turn: Turn): boolean {
    return this.#parts.turns.leases.mayStart(turn);
  }

  async release(turns: readonly Turn[]): Promise<void> {
    await this.#parts.turns.leases.release(turns);
  }

  async begin(turns: readonly Turn[], now: Date, decide: Decide): Promise<readonly TakenDelivery[]> {
    const { connection } = this.#parts;
    const taken = await inTransaction(
      connection,
      async (session) => {
        const decided = await this.#nextMessages.decide(turns, decide, { now, session });
        await this.#write(
          decided.flatMap(({ changes }) => changes),
          { now, session },
        );
        return this.#turnEnds.goOnOrEnd(decided, { now, session });
      },
      { gate: this.#parts.turns.gate },
    );
    return this.#toHandOver(taken);
  }

  async conclude(conclusions: readonly Conclusion[], now: Date, decide?: Decide): Promise<Concluded> {
    const exclusive = conclusions.some(({ others }) => hasManyPages(others));
    let results = resultsOf(conclusions);
    while (results.length > 0) {
      const next = await this.#concludeAll(results, { now, decide, exclusive });
      if (next !== undefined) {
        const turns = new Set(results.map(({ turn }) => turn));
        return { taken: conclusions.filter(({ turn }) => turns.has(turn)), next };
      }
      results = await this.#ofHolders(results);
    }
    return { taken: [], next: [] };
  }

  /** Writes all of `results`, or none where an attempt does not hold its delivery any more; then undefined. */
  async #concludeAll(
    results: readonly TurnResult[],
    {
      decide,
      exclusive,
      now,
    }: { readonly decide: Decide | undefined; readonly exclusive: boolean; readonly now: Date },
  ): Promise<readonly TakenDelivery[] | undefined> {
    const turns = [...new Set(results.map(({ turn }) => turn))];
    const concluded = new Set(results.map(({ delivery }) => delivery.deliveryId));
    try {
      const next = await inTransaction(
        this.#parts.connection,
        async (session, isRetry) => {
          if (exclusive || isRetry) await this.#parts.turns.leases.lock(turns, session);
          await this.#parts.turns.forget(toNobody(results), session);
          await this.#insert(results, { now, session });
          const decided =
            decide === undefined ? [] : await this.#nextMessages.decide(turns, decide, { now, session, concluded });
          const all = [
            ...results.map((change) => ({ ...change, before: sending(change.delivery) })),
            ...decided.flatMap(({ changes }) => changes),
          ];
          if ((await this.#write(all, { now, session })) < all.length) throw new StaleResult();
          const known = new Set(decided.map(({ turn }) => turn));
          const others = turns.filter((turn) => !known.has(turn)).map((turn) => ({ turn, changes: [] }));
          return this.#turnEnds.goOnOrEnd([...decided, ...others], { now, session });
        },
        { gate: this.#parts.turns.gate, exclusive },
      );
      return await this.#toHandOver(next);
    } catch (error) {
      if (error instanceof StaleResult) return undefined;
      throw error;
    }
  }

  async #toHandOver(decided: readonly TakenDelivery[]): Promise<readonly TakenDelivery[]> {
    const { connection, turns } = this.#parts;
    const { late, toHandOver } = sortedByLease(decided, turns.leases);
    await takeBack(late, connection, turns);
    return toHandOver;
  }

  /** One that is there already changes nothing: the result that led to it is stale, and the transaction leaves nothing. */
  async #insert(results: readonly TurnResult[], { now, session }: WriteContext): Promise<void> {
    const followed = results.filter(({ successor }) => successor !== undefined);
    if (followed.length === 0) return;
    const inBundles = followed.flatMap(({ delivery }) => (delivery.bundle === undefined ? [] : delivery));
    const whole = await this.#waiting.whole(inBundles, session);
    await this.#deliveries().bulkWrite(
      followed.flatMap(({ delivery: { deliveryId }, successor }) => {
        if (successor === undefined) return [];
        const { _id, ...row } = fromDelivery(withWholePage(successor, whole.get(deliveryId)), now);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
      }),
      { session, ordered: false },
    );
  }

  /** Those of the results whose attempts still hold their deliveries. */
  async #ofHolders(results: readonly TurnResult[]): Promise<readonly TurnResult[]> {
    const ids = results.map(({ delivery }) => delivery.deliveryId);
    const documents = await this.#deliveries()
      .find({ _id: { $in: ids } }, { projection: DELIVERY_FIELDS, readPreference: 'primary', readConcern: 'majority' })
      .toArray();
    const stored = new Map(documents.map((document) => [document._id, toDelivery(document)]));
    return results.filter(({ delivery }) => {
      const held = stored.get(delivery.deliveryId);
      return held !== undefined && holds(held, delivery);
    });
  }

  /** Answers how many were still as they were before. */
  async #write(
    changes: readonly (DeliveryChange & { readonly before: Pick<Delivery, 'state' | 'attempts'> })[],
    { now, session }: WriteContext,
  ): Promise<number> {
    if (changes.length === 0) return 0;
    const { matchedCount } = await this.#deliveries().bulkWrite(
      changes.map(({ before: { attempts, state }, delivery, retryAt }) => ({
        updateOne: {
          filter: { _id: delivery.deliveryId, state, attempts },
          update: deliveryUpdate(delivery, { now, retryAt }),
        },
      })),
      { session, ordered: false },
    );
    const decisions = changes.flatMap(({ decision }) => decision ?? []);
    const verifications = changes.flatMap(({ verification }) => verification ?? []);
    await this.#parts.outbox.addAll(session, [
      forTopic(Decisions, decisions),
      forTopic(VerificationEvents, verifications),
    ]);
    return matchedCount;
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

const resultsOf = (conclusions: readonly Conclusion[]): readonly TurnResult[] =>
  conclusions.flatMap(({ others = [], turn, ...first }) => [first, ...others].map((each) => ({ ...each, turn })));

/** Turn -> the attempts of these results that came to nothing. */
function toNobody(results: readonly TurnResult[]): ReadonlyMap<string, readonly string[]> {
  const attempts = new Map<string, string[]>();
  for (const { delivery, turn } of results)
    if (isPage(delivery) && hasReachedNobody(delivery))
      attempts.set(turn.id, [...(attempts.get(turn.id) ?? []), attemptIdOf(delivery)]);
  return attempts;
}

/** Ends a transaction that must leave nothing behind. */
class StaleResult extends Error {}

const sending = ({ attempts }: Delivery) => ({ state: 'sending' as const, attempts });

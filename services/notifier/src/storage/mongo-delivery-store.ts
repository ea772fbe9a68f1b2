import { Decisions, type ContactMethod } from '@tocsin/contracts';
import { collectionOf, inTransaction, type Connection, type Outbox, type Session } from '@tocsin/persistence';
import {
  attemptIdOf,
  begunTogether,
  chooseNext,
  decideTogether,
  hasManyPages,
  hasReachedNobody,
  type BundleLimits,
} from '../domain/bundle.ts';
import { holds, isFinal, isPage, type Delivery } from '../domain/delivery.ts';
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
  alertIdOf,
  DELIVERY_FIELDS,
  fromDelivery,
  lifeOf,
  toDelivery,
  type DeliveryDocument,
} from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoTurns } from './mongo-turns.ts';
import { MongoWaiting } from './mongo-waiting.ts';
import { sortedByLease, takeBack } from './take-back.ts';
import { begunMessages, takenOf } from './taken-deliveries.ts';

export interface MongoDeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly turns: MongoTurns;
  readonly standings: Pick<MongoAlertStandings, 'ofDeliveries'>;
  readonly bundles: BundleLimits;
}

interface Writing {
  readonly now: Date;
  readonly session: Session;
}

/** What is decided about the message with which a turn begins or goes on. */
interface DecidedTurn {
  readonly turn: Turn;
  readonly changes: readonly (DeliveryChange & { readonly before: Delivery })[];
  readonly heldUntil?: Date;
}

/** What became of one delivery in a turn. */
interface TurnResult extends DeliveryResult {
  readonly turn: Turn;
}

/** Deliveries and the turns they wait for in MongoDB, each change with its decisions in one transaction. */
export class MongoDeliveryStore implements DeliveryStore {
  readonly #parts: MongoDeliveryStoreParts;
  readonly #waiting: MongoWaiting;

  constructor(parts: MongoDeliveryStoreParts) {
    this.#parts = parts;
    this.#waiting = new MongoWaiting(parts.connection, parts.bundles);
  }

  async claim(now: Date, most: number, except?: readonly ContactMethod[]): Promise<readonly Turn[]> {
    return this.#parts.turns.claim(now, most, except);
  }

  async keep(turns: readonly Turn[]): Promise<boolean> {
    await this.#parts.turns.renew(turns);
    return this.#parts.turns.freeExpired();
  }

  mayStart(turn: Turn): boolean {
    return this.#parts.turns.mayStart(turn);
  }

  async release(turns: readonly Turn[]): Promise<void> {
    await this.#parts.turns.release(turns);
  }

  async begin(turns: readonly Turn[], now: Date, decide: Decide): Promise<readonly TakenDelivery[]> {
    const { connection, outbox } = this.#parts;
    const taken = await inTransaction(
      connection,
      async (session) => {
        const decided = await this.#decided(turns, decide, { now, session });
        await this.#write(
          decided.flatMap(({ changes }) => changes),
          { now, session },
        );
        return this.#goOnOrEnd(decided, { now, session });
      },
      { gate: this.#parts.turns.gate },
    );
    void outbox.flush();
    return this.#toHandOver(taken);
  }

  async conclude(conclusions: readonly Conclusion[], now: Date, decide?: Decide): Promise<Concluded> {
    const { connection, outbox } = this.#parts;
    const all = conclusions.flatMap(({ others = [], turn, ...first }) =>
      [first, ...others].map((each): TurnResult => ({ ...each, turn })),
    );
    const exclusive = conclusions.some(({ others }) => hasManyPages(others));
    for (
      let results: readonly TurnResult[] = all;
      results.length > 0;
      results = await this.#ofHolders(connection, results)
    ) {
      const next = await this.#concludeAll(results, { now, decide, exclusive });
      if (next === undefined) continue;
      void outbox.flush();
      const turns = new Set(results.map(({ turn }) => turn));
      return { taken: conclusions.filter(({ turn }) => turns.has(turn)), next };
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
          if (exclusive || isRetry) await this.#parts.turns.lock(turns, session);
          await this.#parts.turns.forget(toNobody(results), session);
          await this.#insert(results, { now, session });
          const decided = decide === undefined ? [] : await this.#decided(turns, decide, { now, session }, concluded);
          const all = [
            ...results.map((change) => ({ ...change, before: sending(change.delivery) })),
            ...decided.flatMap(({ changes }) => changes),
          ];
          if ((await this.#write(all, { now, session })) < all.length) throw new StaleResult();
          const known = new Set(decided.map(({ turn }) => turn));
          const others = turns.filter((turn) => !known.has(turn)).map((turn) => ({ turn, changes: [] }));
          return this.#goOnOrEnd([...decided, ...others], { now, session });
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
    const { late, toHandOver } = sortedByLease(decided, turns);
    await takeBack(late, connection, turns);
    return toHandOver;
  }

  /** One that is there already changes nothing: the result that led to it is stale, and the transaction leaves nothing. */
  async #insert(results: readonly TurnResult[], { now, session }: Writing): Promise<void> {
    const followed = results.filter(({ successor }) => successor !== undefined);
    if (followed.length === 0) return;
    const inBundles = followed.flatMap(({ delivery }) => (delivery.bundle === undefined ? [] : delivery));
    const whole = await this.#waiting.whole(inBundles, session);
    await this.#deliveries().bulkWrite(
      followed.flatMap(({ delivery: { deliveryId }, successor }) => {
        if (successor === undefined) return [];
        const { _id, ...row } = fromDelivery(asStored(successor, whole.get(deliveryId)), now);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
      }),
      { session, ordered: false },
    );
  }

  /** Remembers what was begun; a turn of which nothing is sent ends. Answers what was decided. */
  async #goOnOrEnd(decided: readonly DecidedTurn[], { now, session }: Writing): Promise<readonly TakenDelivery[]> {
    const taken = decided.flatMap(({ changes, turn }) => takenOf(turn, changes));
    const begun = taken.filter(({ delivery }) => !isFinal(delivery));
    const going = new Set(begun.map(({ turn }) => turn));
    await this.#parts.turns.remember([...going], begunMessages(begun, this.#parts.bundles, now), session);
    await this.#end(
      decided.filter(({ turn }) => !going.has(turn)),
      { now, session },
    );
    return taken;
  }

  /** What is decided about each turn that is still held: not about those that are `concluded` in the same transaction. */
  async #decided(
    turns: readonly Turn[],
    decide: Decide,
    { now, session }: Writing,
    concluded: ReadonlySet<string> = new Set(),
  ): Promise<readonly DecidedTurn[]> {
    const waiting = await this.#waiting.in(turns, { now, session, except: concluded });
    const choosable = turns.flatMap((turn) => {
      const found = waiting.get(turn.id);
      // Nothing is begun that this process would not hand over: it would count as cut.
      if (found?.token !== turn.token || !this.mayStart(turn)) return [];
      return [{ turn, ...chooseNext(found.due, { ...found, limits: this.#parts.bundles, now }) }];
    });
    const choices = begunTogether(choosable);
    const chosenTurns = new Set(choices.map(({ turn }) => turn));
    await this.#parts.turns.release(
      turns.filter((turn) => !chosenTurns.has(turn)),
      session,
    );
    const found = await this.#waiting.ofMessages(
      choices.map(({ chosen }) => chosen),
      session,
    );
    const standings = await this.#parts.standings.ofDeliveries([...found.values()], session);
    const decideOne = (before: Delivery) => ({ before, ...decide(before, standings.get(alertIdOf(before) ?? '')) });
    const decided = choices.map(({ chosen, ...turn }) => ({
      ...turn,
      changes: decideTogether(
        chosen.flatMap(({ deliveryId }) => found.get(deliveryId) ?? []),
        decideOne,
      ),
    }));
    return this.#wholeWhereAlone(decided, session);
  }

  /** Of several pages one alone may be left to send: it is a message of its own, and says all that it has. */
  async #wholeWhereAlone(decided: readonly DecidedTurn[], session: Session): Promise<readonly DecidedTurn[]> {
    const isAlone = ({ delivery }: DeliveryChange): boolean => !isFinal(delivery) && delivery.bundle === undefined;
    const left = decided.flatMap(({ changes }) => (changes.length > 1 ? changes.filter(isAlone) : []));
    const whole = await this.#waiting.whole(
      left.map(({ delivery }) => delivery),
      session,
    );
    const changed = <C extends DeliveryChange>(change: C): C => ({
      ...change,
      delivery: asStored(change.delivery, whole.get(change.delivery.deliveryId)),
    });
    return whole.size === 0 ? decided : decided.map((each) => ({ ...each, changes: each.changes.map(changed) }));
  }

  async #ofHolders(connection: Connection, results: readonly TurnResult[]): Promise<readonly TurnResult[]> {
    const ids = results.map(({ delivery }) => delivery.deliveryId);
    const documents = await collectionOf<DeliveryDocument>(connection, DELIVERIES)
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

  /** Ends turns; who has more to hear waits behind all who wait now, and for what is held until then. */
  async #end(ended: readonly Pick<DecidedTurn, 'turn' | 'heldUntil'>[], { now, session }: Writing): Promise<void> {
    const [held, others] = [ended.filter(isHeld), ended.filter((each) => !isHeld(each))];
    const next = await this.#waiting.nextOf(turnsOf(others), session);
    // What is held is due already: what else falls due meanwhile is looked at in time.
    const meanwhile = await this.#waiting.nextOf(turnsOf(held), session, now);
    await this.#parts.turns.end(
      [
        ...others.map(({ turn }) => ({ turn, nextAt: latest(next.get(turn.id), now) })),
        ...held.map(({ heldUntil, turn }) => {
          const dueAt = meanwhile.get(turn.id);
          return { turn, heldUntil, nextAt: dueAt !== undefined && dueAt < heldUntil ? dueAt : heldUntil };
        }),
      ],
      session,
    );
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

/** Turn -> the attempts of these results that came to nothing. */
function toNobody(results: readonly TurnResult[]): ReadonlyMap<string, readonly string[]> {
  const attempts = new Map<string, string[]>();
  for (const { delivery, turn } of results)
    if (isPage(delivery) && hasReachedNobody(delivery))
      attempts.set(turn.id, [...(attempts.get(turn.id) ?? []), attemptIdOf(delivery)]);
  return attempts;
}

/** A delivery with the page that is stored, where that is given. */
const asStored = (delivery: Delivery, stored: Delivery | undefined): Delivery =>
  stored !== undefined && isPage(stored) && isPage(delivery) ? { ...delivery, page: stored.page } : delivery;

/** Ends a transaction that must leave nothing behind. */
class StaleResult extends Error {}

const isHeld = <T extends { readonly heldUntil?: Date }>(turn: T): turn is T & { readonly heldUntil: Date } =>
  turn.heldUntil !== undefined;

const turnsOf = (ended: readonly Pick<DecidedTurn, 'turn'>[]): readonly Turn[] => ended.map(({ turn }) => turn);

const latest = (nextAt: Date | undefined, now: Date): Date | undefined =>
  nextAt !== undefined && nextAt < now ? now : nextAt;

const sending = ({ attempts }: Delivery) => ({ state: 'sending' as const, attempts });

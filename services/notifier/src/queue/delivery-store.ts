import { Decisions, SubscriptionEvents, VerificationEvents } from '@tocsin/events';
import { collectionOf, type Connection, forTopic, inTransaction, type Outbox, type Session } from '@tocsin/mongo';
import {
  attemptIdOf,
  begunMessages,
  type BundleLimits,
  wasNotSent,
  splitByLease,
  claimedDeliveries,
} from './next-message.ts';
import { hasManyPages } from '../messages/bundle.ts';
import { isCurrentAttempt } from '../messages/attempts.ts';
import { type Delivery, type DeliveryMethod, isFinal, isPage, isWebhook } from '../messages/delivery.ts';
import {
  type RecordedResults,
  type MessageResult,
  type Decide,
  type DeliveryChange,
  type DeliveryResult,
  methodOfQueue,
  nextLookAt,
  type ClaimedDelivery,
  type ClaimedQueue,
} from './recipient-queue.ts';
import {
  DELIVERY_FIELDS,
  type DeliveryDocument,
  deliveryUpdate,
  fromDelivery,
  toDelivery,
  DELIVERIES,
} from '../messages/delivery-document.ts';
import { withStoredPage, type QueueDecision, NextMessages, DueMessageReader } from './due-message-store.ts';
import type { QueueRows } from './row-store.ts';
import { releaseNext } from './webhook-call-store.ts';

export interface DeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly queues: QueueRows;
  readonly bundles: BundleLimits;
}

interface WriteContext {
  readonly now: Date;
  readonly session: Session;
}

/** The change of one delivery in a queue. */
interface ClaimedResult extends DeliveryResult {
  readonly queue: ClaimedQueue;
  readonly isPostponed: boolean;
}

/** Stores deliveries and the queues in which they wait, each change with its decisions in one transaction. */
export class DeliveryStore {
  readonly #parts: DeliveryStoreParts;
  readonly #waiting: DueMessageReader;
  readonly #nextMessages: NextMessages;

  constructor(parts: DeliveryStoreParts) {
    const { bundles, connection, queues } = parts;
    this.#parts = parts;
    this.#waiting = new DueMessageReader(connection, bundles);
    this.#nextMessages = new NextMessages({ leases: queues.leases, waiting: this.#waiting, bundles });
  }

  /** Claims at most `most` due queues of `methods`, the longest due first. */
  async claim(now: Date, most: number, methods?: readonly DeliveryMethod[]): Promise<readonly ClaimedQueue[]> {
    return this.#parts.queues.leases.claim(now, most, methods);
  }

  /** Renews the leases of claimed queues, and frees queues whose lease has expired. Resolves with whether any was freed. */
  async renewAndFreeExpired(queues: readonly ClaimedQueue[]): Promise<boolean> {
    await this.#parts.queues.leases.renew(queues);
    return this.#parts.queues.leases.freeExpired();
  }

  /** Whether a hand-over may begin in this queue: its lease lasts for long enough. */
  mayStart(queue: ClaimedQueue): boolean {
    return this.#parts.queues.leases.mayStart(queue);
  }

  /** Whether the lease of this queue has not ended since it was claimed. */
  hasKeptLease(queue: ClaimedQueue): boolean {
    return this.#parts.queues.leases.hasKept(queue);
  }

  /** Releases queues of which nothing was begun. That counts as no try. */
  async release(queues: readonly ClaimedQueue[]): Promise<void> {
    await this.#parts.queues.leases.release(queues);
  }

  /**
   * Chooses the next message of each queue (`chooseNext`), decides whether it is sent (`decideTogether`), and writes the decisions, in
   * one transaction. A queue without a message to send is released and looked at again when more is due. A queue whose claim has ended is
   * not changed. Resolves with the written changes. Messages that were begun in a queue whose lease may end too soon are left out: they
   * wait again, which counts as no try. `held`: the ids of queues of which no message is begun, and until when.
   */
  async begin(
    queues: readonly ClaimedQueue[],
    now: Date,
    decide: Decide,
    held?: ReadonlyMap<string, Date>,
  ): Promise<readonly ClaimedDelivery[]> {
    const { connection } = this.#parts;
    const taken = await inTransaction(
      connection,
      async (session) => {
        const decided = await this.#nextMessages.decide(queues, decide, { now, session, held });
        await this.#write(
          decided.flatMap(({ changes }) => changes),
          { now, session },
        );
        const later = decided.flatMap(({ heldUntil, queue }) => (heldUntil === undefined ? [] : queue));
        await this.#parts.queues.noteCalls(later.filter(isOfWebhook), now, session);
        return this.#continueOrEnd(decided, { now, session });
      },
      { gate: this.#parts.queues.gate },
    );
    return this.#toHandOver(taken);
  }

  /**
   * Writes the results of deliveries, and inserts the deliveries that follow them, in one transaction. Their queues are released; where
   * `decide` is given, a queue of which something more is due goes on with it, as in {@link begin}. A result of an attempt that
   * has ended otherwise changes nothing (U17).
   */
  async recordResults(messageResults: readonly MessageResult[], now: Date, decide?: Decide): Promise<RecordedResults> {
    const exclusive = messageResults.some(({ others }) => hasManyPages(others));
    let results = resultsOf(messageResults);
    while (results.length > 0) {
      const next = await this.#recordAll(results, { now, decide, exclusive });
      if (next !== undefined) {
        const queues = new Set(results.map(({ queue }) => queue));
        return { recorded: messageResults.filter(({ queue }) => queues.has(queue)), next };
      }
      results = await this.#stillCurrent(results);
    }
    return { recorded: [], next: [] };
  }

  /** Writes all of `results`. Writes none, and resolves with undefined, where one belongs to an attempt that has ended otherwise. */
  async #recordAll(
    results: readonly ClaimedResult[],
    {
      decide,
      exclusive,
      now,
    }: { readonly decide: Decide | undefined; readonly exclusive: boolean; readonly now: Date },
  ): Promise<readonly ClaimedDelivery[] | undefined> {
    const queues = [...new Set(results.map(({ queue }) => queue))];
    const recordedIds = new Set(results.map(({ delivery }) => delivery.deliveryId));
    try {
      const next = await inTransaction(
        this.#parts.connection,
        async (session, isRetry) => {
          if (exclusive || isRetry) await this.#parts.queues.leases.lock(queues, session);
          await this.#parts.queues.forget(attemptsNotSent(results), session);
          await this.#insert(results, { now, session });
          const decided =
            decide === undefined ? [] : await this.#nextMessages.decide(queues, decide, { now, session, recordedIds });
          const all = [
            ...results.map((change) => ({ ...change, before: sending(change.delivery) })),
            ...decided.flatMap(({ changes }) => changes),
          ];
          if ((await this.#write(all, { now, session })) < all.length) throw new StaleResult();
          const called = results.flatMap(({ isPostponed, queue }) => (isPostponed ? [] : queue));
          await this.#parts.queues.noteCalls(called.filter(isOfWebhook), now, session);
          const known = new Set(decided.map(({ queue }) => queue));
          const others = queues.filter((queue) => !known.has(queue)).map((queue) => ({ queue, changes: [] }));
          return this.#continueOrEnd([...decided, ...others], { now, session });
        },
        { gate: this.#parts.queues.gate, exclusive },
      );
      return await this.#toHandOver(next);
    } catch (error) {
      if (error instanceof StaleResult) return undefined;
      throw error;
    }
  }

  /** Stores the begun messages, and releases the queues without one. Returns the decisions. */
  async #continueOrEnd(
    decided: readonly QueueDecision[],
    { now, session }: WriteContext,
  ): Promise<readonly ClaimedDelivery[]> {
    const { bundles, queues } = this.#parts;
    const taken = decided.flatMap(({ changes, queue }) => claimedDeliveries(queue, changes));
    const begun = taken.filter(({ delivery }) => !isFinal(delivery));
    const going = new Set(begun.map(({ queue }) => queue));
    await queues.remember([...going], begunMessages(begun, bundles, now), session);
    const ended = decided.filter(({ queue }) => !going.has(queue));
    await this.#releaseQueues(ended, { now, session });
    return taken;
  }

  /**
   * A queue with more messages is served after all queues that wait now. A queue with held pages is due again when the hold ends.
   */
  async #releaseQueues(ended: readonly QueueDecision[], { now, session }: WriteContext): Promise<void> {
    const [{ queues }, waiting] = [this.#parts, this.#waiting];
    const [held, others] = [ended.filter(isHeld), ended.filter((each) => !isHeld(each))];
    const next = await waiting.nextOf(queuesOf(others), session);
    // Held pages are due already. The queue is due earlier where another message falls due before the hold ends.
    const meanwhile = await waiting.nextOf(queuesOf(held), session, now);
    await queues.end(
      ended.map(({ heldUntil, queue }) => {
        const dueAt = (heldUntil === undefined ? next : meanwhile).get(queue.id);
        return { queue, heldUntil, nextAt: nextLookAt(dueAt, heldUntil, now) };
      }),
      session,
    );
  }

  async #toHandOver(decided: readonly ClaimedDelivery[]): Promise<readonly ClaimedDelivery[]> {
    const { connection, queues } = this.#parts;
    const { late, toHandOver } = splitByLease(decided, queues.leases);
    await releaseUnsent(late, connection, queues);
    return toHandOver;
  }

  /** A successor that exists already is left as it is: then this result is stale, and the transaction is aborted. */
  async #insert(results: readonly ClaimedResult[], { now, session }: WriteContext): Promise<void> {
    const followed = results.filter(({ successor }) => successor !== undefined);
    if (followed.length === 0) return;
    const stored = await this.#waiting.withContent(
      followed.map(({ delivery }) => delivery),
      session,
    );
    await this.#deliveries().bulkWrite(
      followed.flatMap(({ delivery: { deliveryId }, successor }) => {
        if (successor === undefined) return [];
        const { _id, ...row } = fromDelivery(withStoredPage(successor, stored.get(deliveryId)), now);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
      }),
      { session, ordered: false },
    );
  }

  /** Those of the results whose attempts are still under way. */
  async #stillCurrent(results: readonly ClaimedResult[]): Promise<readonly ClaimedResult[]> {
    const ids = results.map(({ delivery }) => delivery.deliveryId);
    const documents = await this.#deliveries()
      .find({ _id: { $in: ids } }, { projection: DELIVERY_FIELDS, readPreference: 'primary', readConcern: 'majority' })
      .toArray();
    const stored = new Map(documents.map((document) => [document._id, toDelivery(document)]));
    return results.filter(({ delivery }) => {
      const held = stored.get(delivery.deliveryId);
      return held !== undefined && isCurrentAttempt(held, delivery);
    });
  }

  /** Resolves with how many deliveries still had the state `before`. */
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
    const ended = changes.map(({ delivery }) => delivery).filter(isFinal);
    await releaseNext(this.#parts.connection, ended.filter(isWebhook), { now, session });
    const decisions = changes.flatMap(({ decision }) => decision ?? []);
    const verifications = changes.flatMap(({ verification }) => verification ?? []);
    const endedSubscriptions = changes.flatMap(({ endedSubscription }) => endedSubscription ?? []);
    await this.#parts.outbox.addAll(session, [
      forTopic(Decisions, decisions),
      forTopic(VerificationEvents, verifications),
      forTopic(SubscriptionEvents, endedSubscriptions),
    ]);
    return matchedCount;
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#parts.connection, DELIVERIES);
  }
}

const resultsOf = (messageResults: readonly MessageResult[]): readonly ClaimedResult[] =>
  messageResults.flatMap(({ isPostponed = false, others = [], queue, ...first }) =>
    [first, ...others].map((each) => ({ ...each, queue, isPostponed })),
  );

const isOfWebhook = ({ id }: ClaimedQueue): boolean => methodOfQueue(id) === 'webhook';

/** Queue id -> the attempts of these results that sent nothing. */
function attemptsNotSent(results: readonly ClaimedResult[]): ReadonlyMap<string, readonly string[]> {
  const attempts = new Map<string, string[]>();
  for (const { delivery, queue } of results)
    if (isPage(delivery) && wasNotSent(delivery))
      attempts.set(queue.id, [...(attempts.get(queue.id) ?? []), attemptIdOf(delivery)]);
  return attempts;
}

/** Aborts a transaction. */
class StaleResult extends Error {}

const sending = ({ attempts }: Delivery) => ({ state: 'sending' as const, attempts });

const isHeld = ({ heldUntil }: QueueDecision): boolean => heldUntil !== undefined;

const queuesOf = (ended: readonly QueueDecision[]): readonly ClaimedQueue[] => ended.map(({ queue }) => queue);

/**
 * Lets messages wait again that were begun and not sent. That counts as no try: otherwise a message that was never sent would fail
 * where the database is slow each time. Deliveries that another process has begun meanwhile stay as they are. Where
 * MongoDB is away, all stay `sending` and count as interrupted (U17). Never rejects.
 */
export async function releaseUnsent(
  late: readonly ClaimedDelivery[],
  connection: Connection,
  queues: Pick<QueueRows, 'forget' | 'leases'>,
): Promise<void> {
  if (late.length === 0) return;
  const deliveries = late.flatMap(({ delivery, others = [] }) => [delivery, ...others]);
  const attempts = new Map(late.map(({ delivery, queue }) => [queue.id, [attemptIdOf(delivery)]]));
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
    await queues.forget(attempts);
    await queues.leases.release(late.map(({ queue }) => queue));
  } catch {
    // Their leases expire, and the process that claims the queues next sends them again.
  }
}

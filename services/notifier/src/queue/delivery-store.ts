import { Decisions, SubscriptionEvents, VerificationEvents } from '@tocsin/events';
import { collectionOf, type Connection, forTopic, inTransaction, type Outbox, type Session } from '@tocsin/mongo';
import {
  attemptIdOf,
  beginResultOf,
  type BundleLimits,
  recentMessages,
  wasNotAccepted,
  splitByLease,
} from './next-message.ts';
import { hasManyPages } from '../messages/bundle.ts';
import { isCurrentAttempt } from '../messages/attempts.ts';
import { type Delivery, type DeliveryMethod, isFinal, isPage, isWebhook } from '../messages/delivery.ts';
import {
  type BeginResult,
  type BegunMessage,
  type Check,
  type RecordedResults,
  type MessageResult,
  type DeliveryChange,
  type DeliveryResult,
} from './message-result.ts';
import { methodOfQueue, nextLookAt, type ClaimedQueue } from './recipient-queue.ts';
import {
  DELIVERY_FIELDS,
  type DeliveryDocument,
  deliveryUpdate,
  fromDelivery,
  toDelivery,
  DELIVERIES,
} from '../messages/delivery-document.ts';
import { withStoredPage, DueMessageStore } from './due-message-store.ts';
import { type CheckedQueue, MessageChooser } from './message-chooser-store.ts';
import type { RecipientQueues } from './recipient-queue-store.ts';
import { releaseNext } from './webhook-call-store.ts';

export interface DeliveryStoreParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly queues: RecipientQueues;
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

/**
 * Stores deliveries and the queues in which they wait, each change with its decisions for the logs in one transaction. The steps of one
 * message: claim, choose, check, begin, hand over, record (docs/subjects/sending.md).
 */
export class DeliveryStore {
  readonly #parts: DeliveryStoreParts;
  readonly #dueMessages: DueMessageStore;
  readonly #chooser: MessageChooser;

  constructor(parts: DeliveryStoreParts) {
    const { bundles, connection, queues } = parts;
    this.#parts = parts;
    this.#dueMessages = new DueMessageStore(connection, bundles);
    this.#chooser = new MessageChooser({ leases: queues.leases, dueMessages: this.#dueMessages, bundles });
  }

  /** Claims at most `limit` due queues of `methods`, the longest due first. */
  async claim(now: Date, limit: number, methods?: readonly DeliveryMethod[]): Promise<readonly ClaimedQueue[]> {
    return this.#parts.queues.leases.claim(now, limit, methods);
  }

  /** Renews the leases of claimed queues, and frees queues whose lease has expired. Resolves with whether any was freed. */
  async renewAndFreeExpired(queues: readonly ClaimedQueue[]): Promise<boolean> {
    await this.#parts.queues.leases.renew(queues);
    return this.#parts.queues.leases.freeExpired();
  }

  /** Whether a hand-over may begin in this queue: its lease lasts for long enough. */
  mayHandOver(queue: ClaimedQueue): boolean {
    return this.#parts.queues.leases.mayHandOver(queue);
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
   * Chooses the next message of each queue (`chooseNext`), checks it (`checkTogether`), and writes it as begun or ended, in one transaction.
   * A queue without a message to send is released and looked at again when more is due. A queue whose claim has ended is not changed.
   * Messages that were begun in a queue whose lease may end too soon are left out: they wait again, which counts as no try. `paused`: the
   * ids of queues whose receivers are not called, and until when.
   */
  async begin(
    queues: readonly ClaimedQueue[],
    now: Date,
    check: Check,
    paused?: ReadonlyMap<string, Date>,
  ): Promise<BeginResult> {
    const { connection } = this.#parts;
    const result = await inTransaction(
      connection,
      async (session) => {
        const checked = await this.#chooser.chooseAndCheck(queues, check, { now, session, paused });
        await this.#write(
          checked.flatMap(({ changes }) => changes),
          { now, session },
        );
        const later = checked.flatMap(({ heldUntil, queue }) => (heldUntil === undefined ? [] : queue));
        await this.#parts.queues.recordCalls(later.filter(isOfWebhook), now, session);
        return this.#keepOrRelease(checked, { now, session });
      },
      { gate: this.#parts.queues.gate },
    );
    return this.#releaseLate(result);
  }

  /**
   * Writes the results of deliveries, and inserts the deliveries that follow them, in one transaction. Their queues are released; where
   * `check` is given, a queue with a further due message goes on with it, as in {@link begin}. A result of an attempt that
   * has ended otherwise changes nothing (U17).
   */
  async recordResults(messageResults: readonly MessageResult[], now: Date, check?: Check): Promise<RecordedResults> {
    const exclusive = messageResults.some(({ others }) => hasManyPages(others));
    let results = resultsOf(messageResults);
    while (results.length > 0) {
      const next = await this.#recordAll(results, { now, check, exclusive });
      if (next !== undefined) {
        const queues = new Set(results.map(({ queue }) => queue));
        return { recorded: messageResults.filter(({ queue }) => queues.has(queue)), ...next };
      }
      results = await this.#filterCurrent(results);
    }
    return { recorded: [], begun: [], ended: [] };
  }

  /** Writes all of `results`. Writes none, and resolves with undefined, where one belongs to an attempt that has ended otherwise. */
  async #recordAll(
    results: readonly ClaimedResult[],
    { check, exclusive, now }: { readonly check: Check | undefined; readonly exclusive: boolean; readonly now: Date },
  ): Promise<BeginResult | undefined> {
    const queues = [...new Set(results.map(({ queue }) => queue))];
    const recordedIds = new Set(results.map(({ delivery }) => delivery.deliveryId));
    try {
      const next = await inTransaction(
        this.#parts.connection,
        async (session, isRetry) => {
          if (exclusive || isRetry) await this.#parts.queues.leases.lock(queues, session);
          await this.#parts.queues.removeRecent(attemptsNotAccepted(results), session);
          await this.#insertSuccessors(results, { now, session });
          const context = { now, session, recordedIds };
          const checked = check === undefined ? [] : await this.#chooser.chooseAndCheck(queues, check, context);
          const all = [
            ...results.map((change) => ({ ...change, before: sendingState(change.delivery) })),
            ...checked.flatMap(({ changes }) => changes),
          ];
          if ((await this.#write(all, { now, session })) < all.length) throw new StaleResultError();
          const called = results.flatMap(({ isPostponed, queue }) => (isPostponed ? [] : queue));
          await this.#parts.queues.recordCalls(called.filter(isOfWebhook), now, session);
          const known = new Set(checked.map(({ queue }) => queue));
          const others = queues.filter((queue) => !known.has(queue)).map((queue) => ({ queue, changes: [] }));
          return this.#keepOrRelease([...checked, ...others], { now, session });
        },
        { gate: this.#parts.queues.gate, exclusive },
      );
      return await this.#releaseLate(next);
    } catch (error) {
      if (error instanceof StaleResultError) return undefined;
      throw error;
    }
  }

  /** Keeps the queues in which a message is begun, each with that message, and releases the others. */
  async #keepOrRelease(checked: readonly CheckedQueue[], { now, session }: WriteContext): Promise<BeginResult> {
    const { bundles, queues } = this.#parts;
    const result = beginResultOf(checked);
    const kept = new Set(result.begun.map(({ queue }) => queue));
    await queues.addRecent([...kept], recentMessages(result.begun, bundles, now), session);
    await this.#releaseQueues(
      checked.filter(({ queue }) => !kept.has(queue)),
      { now, session },
    );
    return result;
  }

  /**
   * A queue with more messages is served after all queues that wait now. A queue with held pages is due again when the hold ends.
   */
  async #releaseQueues(released: readonly CheckedQueue[], { now, session }: WriteContext): Promise<void> {
    const { queues } = this.#parts;
    const [held, others] = [released.filter(isHeld), released.filter((each) => !isHeld(each))];
    const next = await this.#dueMessages.nextOf(queuesOf(others), session);
    // Held pages are due already. The queue is due earlier where another message falls due before the hold ends.
    const meanwhile = await this.#dueMessages.nextOf(queuesOf(held), session, now);
    await queues.releaseAt(
      released.map(({ heldUntil, queue }) => {
        const dueAt = (heldUntil === undefined ? next : meanwhile).get(queue.id);
        return { queue, heldUntil, nextAt: nextLookAt(dueAt, heldUntil, now) };
      }),
      session,
    );
  }

  /** Lets messages wait again that were begun too late for a hand-over, and returns the others. */
  async #releaseLate({ begun, ended }: BeginResult): Promise<BeginResult> {
    const { connection, queues } = this.#parts;
    const { late, toHandOver } = splitByLease(begun, queues.leases);
    await releaseUnsent(late, connection, queues);
    return { begun: toHandOver, ended };
  }

  /** A successor that exists already is left as it is: then this result is stale, and the transaction is aborted. */
  async #insertSuccessors(results: readonly ClaimedResult[], { now, session }: WriteContext): Promise<void> {
    const followed = results.filter(({ successor }) => successor !== undefined);
    if (followed.length === 0) return;
    const stored = await this.#dueMessages.withContent(
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
  async #filterCurrent(results: readonly ClaimedResult[]): Promise<readonly ClaimedResult[]> {
    const ids = results.map(({ delivery }) => delivery.deliveryId);
    const documents = await this.#deliveries()
      .find({ _id: { $in: ids } }, { projection: DELIVERY_FIELDS, readPreference: 'primary', readConcern: 'majority' })
      .toArray();
    const stored = new Map(documents.map((document) => [document._id, toDelivery(document)]));
    return results.filter(({ delivery }) => {
      const current = stored.get(delivery.deliveryId);
      return current !== undefined && isCurrentAttempt(current, delivery);
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

/** Queue id -> the attempts of these results that no provider has accepted. */
function attemptsNotAccepted(results: readonly ClaimedResult[]): ReadonlyMap<string, readonly string[]> {
  const attempts = new Map<string, string[]>();
  for (const { delivery, queue } of results)
    if (isPage(delivery) && wasNotAccepted(delivery))
      attempts.set(queue.id, [...(attempts.get(queue.id) ?? []), attemptIdOf(delivery)]);
  return attempts;
}

/** Aborts a transaction. */
class StaleResultError extends Error {}

const sendingState = ({ attempts }: Delivery) => ({ state: 'sending' as const, attempts });

const isHeld = ({ heldUntil }: CheckedQueue): boolean => heldUntil !== undefined;

const queuesOf = (checked: readonly CheckedQueue[]): readonly ClaimedQueue[] => checked.map(({ queue }) => queue);

/**
 * Lets messages wait again that were begun and not sent. That counts as no try: otherwise a message that was never sent would fail
 * where the database is slow each time. Deliveries that another process has begun meanwhile stay as they are. Where
 * MongoDB is unavailable, all stay `sending` and count as interrupted (U17). Never rejects.
 */
export async function releaseUnsent(
  late: readonly BegunMessage[],
  connection: Connection,
  queues: Pick<RecipientQueues, 'removeRecent' | 'leases'>,
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
    await queues.removeRecent(attempts);
    await queues.leases.release(late.map(({ queue }) => queue));
  } catch {
    // Their leases expire, and the process that claims the queues next sends them again.
  }
}

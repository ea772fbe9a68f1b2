import { collectionOf, type Connection, type Session, whenCommitted, WriteGate } from '@tocsin/mongo';
import { isIdle } from './begin-at-insertion.ts';
import { type RecentMessage } from './next-message.ts';
import type { DeliveryMethod } from '../messages/delivery.ts';
import type { ClaimedQueue } from './recipient-queue.ts';
import { RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
import { QueueLeases } from './lease-store.ts';
import {
  ANY_DATE,
  enqueuedFields,
  callPeriodAt,
  ofMethods,
  recentFields,
  type QueueDocument,
} from './queue-document.ts';

/** The release of a queue. */
interface QueueRelease {
  readonly queue: ClaimedQueue;
  /** When its next message is due. */
  readonly nextAt: Date | undefined;
  readonly heldUntil?: Date | undefined;
}

/** Queue id -> the message that is begun in it now. */
type RecentByQueue = ReadonlyMap<string, RecentMessage>;

const NOTHING_BEGUN = { claimed: [], recent: new Map<string, RecentMessage>() };

/** Stores the queues of users and integrations: when each is due, and its lease. */
export class RecipientQueues {
  /**
   * Serializes transactions of this process that write queues: in a storm, new messages and results write the queues of the same
   * few users and would conflict (F2).
   */
  readonly gate = new WriteGate();
  /** The leases of the queues. */
  readonly leases: QueueLeases;
  readonly #connection: Connection;

  /** `now` is milliseconds of a clock of this process that is never set back. */
  constructor(
    connection: Connection,
    leaseMs: number,
    { now = () => performance.now() }: { readonly now?: () => number } = {},
  ) {
    this.leases = new QueueLeases(connection, leaseMs, now);
    this.#connection = connection;
  }

  /**
   * The queues without a lease in which no message is due now or soon, as the transaction sees them: each with the messages that were
   * begun in it sentAt. Held pages are not due.
   */
  async findIdle(
    ids: readonly string[],
    now: Date,
    session: Session,
  ): Promise<ReadonlyMap<string, readonly RecentMessage[]>> {
    const found = await this.#queues()
      .find({ _id: { $in: [...ids] } }, { session, projection: { leaseUntil: 1, nextAt: 1, recent: 1 } })
      .toArray();
    const idle = new Map<string, readonly RecentMessage[]>(ids.map((id) => [id, []]));
    for (const { _id, leaseUntil, nextAt, recent } of found)
      if (isIdle({ isLeased: leaseUntil !== null, nextAt: nextAt ?? undefined }, now)) idle.set(_id, recent ?? []);
      else idle.delete(_id);
    return idle;
  }

  /**
   * Adds messages to queues in this transaction: each queue is due at its instant, or earlier if it was before. The queues of `claimed`
   * are claimed at once, and `recent` are the messages that are begun in them.
   */
  async enqueue(
    waiting: ReadonlyMap<string, Date>,
    session: Session,
    { claimed, recent }: { readonly claimed: readonly ClaimedQueue[]; readonly recent: RecentByQueue } = NOTHING_BEGUN,
  ): Promise<void> {
    if (waiting.size === 0) return;
    const lease = this.leases.newLease();
    lease.record(claimed);
    const tokens = new Map(claimed.map(({ id, token }) => [id, token]));
    await this.#queues().bulkWrite(
      [...waiting].map(([_id, nextAt]) => {
        const token = tokens.get(_id);
        const claim = token !== undefined && { leaseUntil: lease.until, token };
        const set = { ...enqueuedFields(_id, nextAt), ...claim, ...recentFields(recent.get(_id)) };
        return { updateOne: { filter: { _id }, update: [{ $set: set }], upsert: true } };
      }),
      { session, ordered: false },
    );
  }

  /**
   * Stores the messages that are begun in `queues`, in the transaction. It also renews their leases from now on, because the statements
   * before it take time.
   */
  async addRecent(queues: readonly ClaimedQueue[], recent: RecentByQueue, session: Session): Promise<void> {
    const kept = queues.filter(({ id }) => recent.has(id));
    if (kept.length === 0) return;
    const lease = this.leases.newLease();
    await this.#queues().bulkWrite(
      kept.map(({ id, token }) => ({
        updateOne: {
          filter: { _id: id, token },
          update: [{ $set: { ...recentFields(recent.get(id)), leaseUntil: lease.until } }],
        },
      })),
      { session, ordered: false },
    );
    whenCommitted(session, () => {
      lease.record(kept);
    });
  }

  /**
   * Removes attempts that no provider has accepted: queue id -> their ids. They do not count towards the limit of their contact (U8).
   */
  async removeRecent(attempts: ReadonlyMap<string, readonly string[]>, session?: Session): Promise<void> {
    if (attempts.size === 0) return;
    await this.#queues().bulkWrite(
      [...attempts].map(([_id, ids]) => ({
        updateOne: { filter: { _id }, update: { $pull: { recent: { attempt: { $in: [...ids] } } } } },
      })),
      { ...(session && { session }), ordered: false },
    );
  }

  /** Releases queues that this process still has; they are due at `nextAt`. */
  async releaseAt(queues: readonly QueueRelease[], session: Session): Promise<void> {
    if (queues.length === 0) return;
    await this.#queues().bulkWrite(
      queues.map(({ heldUntil, nextAt, queue: { id, token } }) => ({
        updateOne: {
          filter: { _id: id, token },
          update: {
            $set: { nextAt: nextAt ?? null, leaseUntil: null, token: null, heldUntil: heldUntil ?? null },
          },
        },
      })),
      { session, ordered: false },
    );
  }

  /** Records that this process begins calls in queues of integrations, in the transaction. */
  async recordCalls(queues: readonly ClaimedQueue[], now: Date, session: Session): Promise<void> {
    if (queues.length === 0) return;
    await this.#queues().bulkWrite(
      queues.map(({ id, token }) => ({
        updateOne: { filter: { _id: id, token }, update: [{ $set: callPeriodAt(now) }] },
      })),
      { session, ordered: false },
    );
  }

  /** How many queues of these methods are due, with or without a lease. */
  async countDue(now: Date, methods?: readonly DeliveryMethod[]): Promise<number> {
    const nextAt = { $lte: now };
    return this.#queues().countDocuments({
      ...ofMethods(methods),
      $or: [
        { leaseUntil: null, nextAt },
        { leaseUntil: ANY_DATE, nextAt },
      ],
    });
  }

  /** Method -> how many queues of a method that only a newer release knows are due at `now`. */
  async countUnknown(now: Date): Promise<ReadonlyMap<string, number>> {
    const { _id } = ofMethods();
    const method = { $arrayElemAt: [{ $split: ['$_id', ':'] }, 0] };
    const counts = await this.#queues()
      .aggregate<{ readonly _id: string; readonly queues: number }>([
        { $match: { leaseUntil: null, nextAt: { $lte: now }, _id: { $not: _id } } },
        { $group: { _id: method, queues: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counts.map(({ _id: name, queues }) => [name, queues]));
  }

  /** When the next queue of these methods without a lease is due. */
  async nextDueAt(methods?: readonly DeliveryMethod[]): Promise<Date | undefined> {
    const found = await this.#queues().findOne(
      { leaseUntil: null, nextAt: ANY_DATE, ...ofMethods(methods) },
      { sort: { nextAt: 1 }, projection: { nextAt: 1 } },
    );
    return found?.nextAt ?? undefined;
  }

  #queues() {
    return collectionOf<QueueDocument>(this.#connection, RECIPIENT_QUEUES);
  }
}

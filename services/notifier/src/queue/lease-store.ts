import { randomUUID } from 'node:crypto';
import { collectionOf, type Connection, type Session } from '@tocsin/mongo';
import type { mongo } from 'mongoose';
import type { DeliveryMethod } from '../messages/delivery.ts';
import type { ClaimedQueue } from './recipient-queue.ts';
import { RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
import { ANY_DATE, ofMethods, type QueueDocument } from './queue-document.ts';

interface Claim {
  readonly now: Date;
  readonly limit: number;
  readonly skip: number;
  readonly methods: readonly DeliveryMethod[] | undefined;
}

/** A lease as MongoDB writes it. `record` records it in this process. */
interface Lease {
  readonly until: mongo.Document;
  readonly record: (queues: readonly ClaimedQueue[]) => void;
}

/** How long the queues of a dead process stay leased, in milliseconds. A process renews its leases. */
export const LEASE_MS = 5_000;
/** A process that loses queues to another one claims again, further on in the order. */
const MAX_CLAIMS = 3;
/**
 * Leases of messages under way are renewed each second. A hand-over begins only while its lease lasts for at least this much
 * longer.
 */
const MIN_LEASE_LEFT_MS = 1_500;
/** A look for expired leases starts each second. After a longer pause MongoDB was unavailable, or this process was frozen. */
const MAX_LOOK_PAUSE_MS = 2_500;

/** How many queues one look frees at most. The next look follows within a second. */
const MAX_FREED = 1_000;

const FREE = { $set: { leaseUntil: null, token: null } };

/** The leases of queues, by MongoDB's clock. They are short and renewed, so the queues of a dead process are free after a lease. */
export class QueueLeases {
  readonly #connection: Connection;
  readonly #leaseMs: number;
  readonly #now: () => number;
  /** When each queue was claimed or renewed last, by the clock of this process. Its lease lasts from then at least. */
  readonly #leasedAt = new WeakMap<ClaimedQueue, number>();
  /** The queues whose lease ended before it was renewed. */
  readonly #lost = new WeakSet<ClaimedQueue>();
  /** When MongoDB answered the last look for expired leases, and before that, when the first one began; undefined before it. */
  #lookedAt: number | undefined;
  /** Since when no pause between two looks was too long. */
  #uninterruptedSince = -Infinity;

  /** `now` is milliseconds of a clock of this process that is never set back. */
  constructor(connection: Connection, leaseMs: number, now: () => number) {
    this.#connection = connection;
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  /**
   * Claims at most `limit` due queues of `methods`, by default of all that this release knows, the longest due first.
   */
  async claim(now: Date, limit: number, methods?: readonly DeliveryMethod[]): Promise<readonly ClaimedQueue[]> {
    if (methods?.length === 0) return [];
    for (let tries = 0; tries < MAX_CLAIMS; tries += 1) {
      // eslint-disable-next-line no-restricted-syntax -- any number serves: processes that skip different ones claim apart
      const skip = tries === 0 ? 0 : Math.floor(Math.random() * tries * limit);
      const ids = await this.#findFree({ now, limit, skip, methods });
      if (ids.length === 0 && skip === 0) return [];
      const queues = await this.#claimAll(ids);
      if (queues.length > 0) return queues;
    }
    return [];
  }

  /** Renews the leases of queues that this process still has. */
  async renew(queues: readonly ClaimedQueue[]): Promise<void> {
    if (queues.length === 0) return;
    const lease = this.newLease();
    const { matchedCount } = await this.#queues().updateMany(leasedAs(queues), [{ $set: { leaseUntil: lease.until } }]);
    lease.record(matchedCount === queues.length ? queues : await this.#stillLeased(queues));
  }

  /**
   * Whether a hand-over may begin in this queue. Where the database was slow or this process was frozen since the claim, the lease
   * may end before it is renewed. Then the process that claims the queue next sends the message. False for the queue of another
   * process.
   */
  mayHandOver(queue: ClaimedQueue): boolean {
    const leasedAt = this.#leasedAt.get(queue) ?? -Infinity;
    return this.#now() + MIN_LEASE_LEFT_MS < leasedAt + this.#leaseMs;
  }

  /**
   * Whether the lease of this queue has not ended since it was claimed. While a process is frozen its leases end, also where no other
   * process claims the queue and the lease is renewed afterwards.
   */
  hasKept(queue: ClaimedQueue): boolean {
    return !this.#lost.has(queue) && this.#lasts(queue, this.#now());
  }

  /** Releases queues, in the transaction of `session` where there is one. Their due times stay. */
  async release(queues: readonly ClaimedQueue[], session?: Session): Promise<void> {
    if (queues.length === 0) return;
    await this.#queues().updateMany(leasedAs(queues), FREE, session === undefined ? {} : { session });
  }

  /**
   * Locks the queues: until the end of the transaction other writes of them wait or conflict. Without the lock a long
   * transaction would conflict at its end: with transactions that add messages to the queues, and with this process, which
   * renews the leases each second.
   */
  async lock(queues: readonly ClaimedQueue[], session: Session): Promise<void> {
    await this.#queues().updateMany(leasedAs(queues), { $inc: { calls: 1 } }, { session });
  }

  /**
   * Frees queues whose lease has expired. Resolves with whether there were any. After a long pause between two looks it frees none for
   * a whole lease: while MongoDB was unavailable no process could renew its leases, and the living ones renew them now. The update names the lease
   * that was read, so it frees no lease that was renewed since.
   */
  async freeExpired(): Promise<boolean> {
    this.#lookedAt ??= this.#now();
    const expired = await this.#expired();
    this.#recordLook();
    if (!this.#hasLookedForALease() || expired.length === 0) return false;
    const { modifiedCount } = await this.#queues().updateMany(
      { $or: expired.map(({ _id, leaseUntil }) => ({ _id, leaseUntil })) },
      FREE,
    );
    return modifiedCount > 0;
  }

  /** A lease that begins now, for queues that are claimed or renewed. */
  newLease(): Lease {
    const at = this.#now();
    return {
      until: { $add: ['$$NOW', this.#leaseMs] },
      record: (queues) => {
        for (const queue of queues) {
          if (this.#leasedAt.has(queue) && !this.#lasts(queue, at)) this.#lost.add(queue);
          this.#leasedAt.set(queue, Math.max(at, this.#leasedAt.get(queue) ?? -Infinity));
        }
      },
    };
  }

  /** Whether the lease lasted until `at` without a further renewal. */
  #lasts(queue: ClaimedQueue, at: number): boolean {
    return at < (this.#leasedAt.get(queue) ?? -Infinity) + this.#leaseMs;
  }

  async #expired(): Promise<readonly Pick<QueueDocument, '_id' | 'leaseUntil'>[]> {
    const isExpired = { leaseUntil: ANY_DATE, $expr: { $lte: ['$leaseUntil', '$$NOW'] } };
    return this.#queues()
      .find(isExpired, { projection: { leaseUntil: 1 } })
      .limit(MAX_FREED)
      .toArray();
  }

  /** To be called after each look. */
  #recordLook(): void {
    const now = this.#now();
    if (this.#lookedAt !== undefined && now - this.#lookedAt > MAX_LOOK_PAUSE_MS) this.#uninterruptedSince = now;
    this.#lookedAt = now;
  }

  /** Whether looks have been uninterrupted for a whole lease. A process that has just started has missed none, unless its first one waited. */
  #hasLookedForALease(): boolean {
    return this.#now() - this.#uninterruptedSince >= this.#leaseMs;
  }

  async #findFree({ methods, limit, now, skip }: Claim): Promise<readonly string[]> {
    const found = await this.#queues()
      .find({ leaseUntil: null, nextAt: { $lte: now }, ...ofMethods(methods) }, { projection: { _id: 1 } })
      .sort({ nextAt: 1 })
      .skip(skip)
      .limit(limit)
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async #claimAll(ids: readonly string[]): Promise<readonly ClaimedQueue[]> {
    if (ids.length === 0) return [];
    const token = randomUUID();
    const lease = this.newLease();
    const { modifiedCount } = await this.#queues().updateMany({ _id: { $in: [...ids] }, leaseUntil: null }, [
      { $set: { leaseUntil: lease.until, token } },
    ]);
    const won = modifiedCount === ids.length ? ids : await this.#wonBy(token, ids);
    const queues = won.map((id) => ({ id, token }));
    lease.record(queues);
    return queues;
  }

  async #wonBy(token: string, ids: readonly string[]): Promise<readonly string[]> {
    const won = await this.#queues()
      .find({ _id: { $in: [...ids] }, token }, { projection: { _id: 1 } })
      .toArray();
    return won.map(({ _id }) => _id);
  }

  /** The queues that still have their token. A token is used once, so these were renewed. */
  async #stillLeased(queues: readonly ClaimedQueue[]): Promise<readonly ClaimedQueue[]> {
    const found = await this.#queues()
      .find(leasedAs(queues), { projection: { token: 1 } })
      .toArray();
    const tokens = new Map(found.map(({ _id, token }) => [_id, token]));
    return queues.filter(({ id, token }) => tokens.get(id) === token);
  }

  #queues() {
    return collectionOf<QueueDocument>(this.#connection, RECIPIENT_QUEUES);
  }
}

/** Each queue by its own token: a later claim of another process may have replaced the token. */
const leasedAs = (queues: readonly ClaimedQueue[]) => ({
  $or: [...Map.groupBy(queues, ({ token }) => token)].map(([token, claimed]) => ({
    _id: { $in: claimed.map(({ id }) => id) },
    token,
  })),
});

import { randomUUID } from 'node:crypto';
import type { ContactMethod } from '@tocsin/contracts';
import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import type { Turn } from '../ports/delivery-store.ts';
import { ANY_DATE, ofKnownMethods, type TurnDocument } from './turn-document.ts';

interface Claim {
  readonly now: Date;
  readonly most: number;
  readonly skip: number;
  readonly except: readonly ContactMethod[];
}

/** A lease as MongoDB writes it. `keep` records it in this process. */
interface Lease {
  readonly until: mongo.Document;
  readonly keep: (turns: readonly Turn[]) => void;
}

/** A process that loses turns to another one claims again, further on in the order. */
const MAX_CLAIMS = 3;
/** Turns under way are renewed each second. A hand-over begins only while its lease lasts for at least this much longer. */
const KEPT_WITHIN_MS = 1_500;
/** A look for expired leases starts each second. After a longer pause MongoDB was away, or this process was frozen. */
const MAX_LOOK_PAUSE_MS = 2_500;

/** How many turns one look frees at most. The next look follows within a second. */
const MAX_FREED = 1_000;

const FREE = { $set: { leaseUntil: null, token: null } };

/** The leases of turns, by MongoDB's clock. They are short and renewed, so the turns of a dead process are free after a lease. */
export class MongoTurnLeases {
  readonly #connection: Connection;
  readonly #collection: string;
  readonly #leaseMs: number;
  readonly #now: () => number;
  /** When each turn was claimed or renewed last, by the clock of this process. Its lease lasts from then at least. */
  readonly #keptAt = new WeakMap<Turn, number>();
  /** When MongoDB answered the last look for expired leases; undefined before the first. */
  #lookedAt: number | undefined;
  /** Since when no pause between two looks was too long. */
  #uninterruptedSince = -Infinity;

  /** `now` is milliseconds of a clock of this process that is never set back. */
  constructor(connection: Connection, collection: string, leaseMs: number, now: () => number) {
    this.#connection = connection;
    this.#collection = collection;
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  /**
   * Claims at most `most` turns that are due, those first that have waited longest. Turns of the methods `except` are not claimed, nor
   * those of methods that only a newer release knows.
   */
  async claim(now: Date, most: number, except: readonly ContactMethod[] = []): Promise<readonly Turn[]> {
    for (let tries = 0; tries < MAX_CLAIMS; tries += 1) {
      const skip = tries === 0 ? 0 : Math.floor(Math.random() * tries * most);
      const ids = await this.#free({ now, most, skip, except });
      if (ids.length === 0 && skip === 0) return [];
      const turns = await this.#take(ids);
      if (turns.length > 0) return turns;
    }
    return [];
  }

  /** Keeps turns that are still held. */
  async renew(turns: readonly Turn[]): Promise<void> {
    if (turns.length === 0) return;
    const lease = this.begin();
    const { matchedCount } = await this.#turns().updateMany(heldAs(turns), [{ $set: { leaseUntil: lease.until } }]);
    lease.keep(matchedCount === turns.length ? turns : await this.#stillHeld(turns));
  }

  /**
   * Whether a hand-over may begin in this turn. Where the database was slow or this process was frozen since the claim, the lease
   * may end before it is renewed: then the process that claims the turn next hands over what was begun. Never in the turn of another
   * process.
   */
  mayStart(turn: Turn): boolean {
    const keptAt = this.#keptAt.get(turn) ?? -Infinity;
    return this.#now() + KEPT_WITHIN_MS < keptAt + this.#leaseMs;
  }

  /** Gives turns back, in the transaction of `session` where there is one. Their recipients wait as they did before. */
  async release(turns: readonly Turn[], session?: Session): Promise<void> {
    if (turns.length === 0) return;
    await this.#turns().updateMany(heldAs(turns), FREE, session === undefined ? {} : { session });
  }

  /**
   * Locks the turns: from now on each other write of one of them waits for this transaction, or conflicts. Without the lock a long
   * transaction would conflict at its end: with transactions that add messages to the turns, and with this process, which renews the
   * leases each second.
   */
  async lock(turns: readonly Turn[], session: Session): Promise<void> {
    await this.#turns().updateMany(heldAs(turns), { $inc: { calls: 1 } }, { session });
  }

  /**
   * Frees turns whose holder let the lease pass; whether there were any. After a pause of these looks it frees none for a whole
   * lease: while MongoDB was away, no process could renew its leases, and those that live renew them now. What it frees was not
   * renewed since the look, so an update that MongoDB runs late frees nothing else.
   */
  async freeExpired(): Promise<boolean> {
    const expired = await this.#expired();
    this.#noteLook();
    if (!this.#hasLookedForALease() || expired.length === 0) return false;
    const { modifiedCount } = await this.#turns().updateMany(
      { $or: expired.map(({ _id, leaseUntil }) => ({ _id, leaseUntil })) },
      FREE,
    );
    return modifiedCount > 0;
  }

  /** A lease that begins now, for turns that are claimed or kept. */
  begin(): Lease {
    const at = this.#now();
    return {
      until: { $add: ['$$NOW', this.#leaseMs] },
      keep: (turns) => {
        for (const turn of turns) this.#keptAt.set(turn, Math.max(at, this.#keptAt.get(turn) ?? -Infinity));
      },
    };
  }

  async #expired(): Promise<readonly Pick<TurnDocument, '_id' | 'leaseUntil'>[]> {
    const isExpired = { leaseUntil: ANY_DATE, $expr: { $lte: ['$leaseUntil', '$$NOW'] } };
    return this.#turns()
      .find(isExpired, { projection: { leaseUntil: 1 } })
      .limit(MAX_FREED)
      .toArray();
  }

  /** To be called after each look. */
  #noteLook(): void {
    const now = this.#now();
    if (this.#lookedAt !== undefined && now - this.#lookedAt > MAX_LOOK_PAUSE_MS) this.#uninterruptedSince = now;
    this.#lookedAt = now;
  }

  /** Whether looks have been uninterrupted for a whole lease. A process that has just started has missed none. */
  #hasLookedForALease(): boolean {
    return this.#now() - this.#uninterruptedSince >= this.#leaseMs;
  }

  async #free({ except, most, now, skip }: Claim): Promise<readonly string[]> {
    const wanted = ofKnownMethods(this.#collection, except);
    const found = await this.#turns()
      .find({ leaseUntil: null, nextAt: { $lte: now }, ...wanted }, { projection: { _id: 1 } })
      .sort({ nextAt: 1 })
      .skip(skip)
      .limit(most)
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async #take(ids: readonly string[]): Promise<readonly Turn[]> {
    if (ids.length === 0) return [];
    const token = randomUUID();
    const lease = this.begin();
    const { modifiedCount } = await this.#turns().updateMany({ _id: { $in: [...ids] }, leaseUntil: null }, [
      { $set: { leaseUntil: lease.until, token } },
    ]);
    const won = modifiedCount === ids.length ? ids : await this.#wonBy(token, ids);
    const turns = won.map((id) => ({ id, token }));
    lease.keep(turns);
    return turns;
  }

  async #wonBy(token: string, ids: readonly string[]): Promise<readonly string[]> {
    const won = await this.#turns()
      .find({ _id: { $in: [...ids] }, token }, { projection: { _id: 1 } })
      .toArray();
    return won.map(({ _id }) => _id);
  }

  /** The turns that have not ended. Tokens are never used again, so these were renewed. */
  async #stillHeld(turns: readonly Turn[]): Promise<readonly Turn[]> {
    const found = await this.#turns()
      .find(heldAs(turns), { projection: { token: 1 } })
      .toArray();
    const tokens = new Map(found.map(({ _id, token }) => [_id, token]));
    return turns.filter(({ id, token }) => tokens.get(id) === token);
  }

  #turns() {
    return collectionOf<TurnDocument>(this.#connection, this.#collection);
  }
}

/** Each turn by its own token: a later claim of another process may have replaced the token. */
const heldAs = (turns: readonly Turn[]) => ({
  $or: [...Map.groupBy(turns, ({ token }) => token)].map(([token, of]) => ({
    _id: { $in: of.map(({ id }) => id) },
    token,
  })),
});

import { randomUUID } from 'node:crypto';
import type { ContactMethod } from '@tocsin/contracts';
import { collectionOf, RetryGate, whenCommitted, type Connection, type Session } from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import { BUNDLED_WITHIN_MS, type RecentMessage } from '../domain/bundle.ts';
import type { Turn } from '../ports/delivery-store.ts';
import { TURNS } from './documents.ts';

/** The turn of one person and method, or of one integration. The row stays when nothing waits; then it only says that there was a message once. */
interface TurnDocument {
  readonly _id: string;
  /** When something is due next; null while nothing waits. After a turn never before its end, so that turns go round. */
  readonly nextAt: Date | null;
  /** By MongoDB's clock; null while nobody holds the turn. */
  readonly leaseUntil: Date | null;
  readonly token: string | null;
  /** Counts the messages that came to wait: whoever ends the turn meanwhile collides, and sees them. */
  readonly calls: number;
  /** The messages with pages that were begun within the last minute, where such are bundled. */
  readonly recent?: readonly RecentMessage[];
  /** Until when what is due is held, to be bundled (U8). */
  readonly heldUntil?: Date | null;
}

/** What the end of a turn leaves. */
export interface TurnEnd {
  readonly turn: Turn;
  /** When its person waits for something again. */
  readonly nextAt: Date | undefined;
  readonly heldUntil?: Date | undefined;
}

/** Turn -> the message that is begun in it. */
export type BegunMessages = ReadonlyMap<string, RecentMessage>;

interface Claim {
  readonly now: Date;
  readonly most: number;
  readonly skip: number;
  readonly except: readonly ContactMethod[];
}

const LEASED = { $gt: new Date(0) };
/** More than any limit counts. */
const MOST_RECENT = 200;
/** Claimers of several processes that ask for the same turns try again, further on. */
const MOST_CLAIMS = 3;
/** Turns under way are renewed each second. A hand-over begins only while its lease lasts for at least this much longer. */
const KEPT_WITHIN_MS = 1_500;
/**
 * A transaction is committed or given up within 10 s of the instant by which it works, and clocks differ by at most a second.
 * What became due in that time waits as well as what was due before.
 */
const BEHIND_BY_MS = 11_000;

/** Whose turn it is. Leases are short and renewed, so the turns of a dead process are free after a lease. */
export class MongoTurns {
  /**
   * For transactions that write turns. In a storm whoever adds messages writes the rows of the same few people that results are
   * written to (F2).
   */
  readonly gate = new RetryGate();
  readonly #connection: Connection;
  readonly #leaseMs: number;
  readonly #collection: string;
  readonly #now: () => number;
  /** When each turn was claimed or kept last, by the clock of this process: from then on its lease lasts, if not longer. */
  readonly #keptAt = new WeakMap<Turn, number>();

  /** `now` is milliseconds of a clock of this process that is never set back. */
  constructor(
    connection: Connection,
    leaseMs: number,
    options: { readonly collection?: string; readonly now?: () => number } = {},
  ) {
    const { collection = TURNS, now = () => performance.now() } = options;
    this.#connection = connection;
    this.#leaseMs = leaseMs;
    this.#collection = collection;
    this.#now = now;
  }

  /**
   * Those of the turns that nobody holds and of which nothing is due or about to be, as the transaction sees it: each with the
   * messages that were begun in it lately. What is held is not due.
   */
  async idle(
    ids: readonly string[],
    now: Date,
    session: Session,
  ): Promise<ReadonlyMap<string, readonly RecentMessage[]>> {
    const soon = new Date(now.getTime() + BEHIND_BY_MS);
    const found = await this.#turns()
      .find({ _id: { $in: [...ids] } }, { session, projection: { leaseUntil: 1, nextAt: 1, recent: 1 } })
      .toArray();
    const idle = new Map<string, readonly RecentMessage[]>(ids.map((id) => [id, []]));
    for (const { _id, leaseUntil, nextAt, recent } of found)
      if (leaseUntil !== null || (nextAt !== null && nextAt <= soon)) idle.delete(_id);
      else idle.set(_id, recent ?? []);
    return idle;
  }

  /**
   * Lets people wait from the named instants on, with the rest of the transaction; turns of `taken` are claimed at once, with what
   * is `begun` in them.
   */
  async call(
    waiting: ReadonlyMap<string, Date>,
    taken: readonly Turn[],
    session: Session,
    begun: BegunMessages = new Map(),
  ): Promise<void> {
    if (waiting.size === 0) return;
    this.#keep(taken, this.#now());
    const tokens = new Map(taken.map(({ id, token }) => [id, token]));
    await this.#turns().bulkWrite(
      [...waiting].map(([_id, nextAt]) => {
        const token = tokens.get(_id);
        const claim = token !== undefined && { leaseUntil: this.#lease(), token };
        const set = { ...called(nextAt), ...claim, ...remembered(begun.get(_id)) };
        return { updateOne: { filter: { _id }, update: [{ $set: set }], upsert: true } };
      }),
      { session, ordered: false },
    );
  }

  /**
   * Remembers messages that are begun in `turns`, with the rest of the transaction. Once that is committed, the leases of these
   * turns last from now on: what comes before takes time as well.
   */
  async remember(turns: readonly Turn[], begun: BegunMessages, session: Session): Promise<void> {
    const kept = turns.filter(({ id }) => begun.has(id));
    if (kept.length === 0) return;
    const at = this.#now();
    await this.#turns().bulkWrite(
      kept.map(({ id, token }) => ({
        updateOne: {
          filter: { _id: id, token },
          update: [{ $set: { ...remembered(begun.get(id)), leaseUntil: this.#lease() } }],
        },
      })),
      { session, ordered: false },
    );
    whenCommitted(session, () => {
      this.#keep(kept, at);
    });
  }

  /** Forgets attempts that came to nothing: turn -> their ids. They hold no other page of their contact (U8). */
  async forget(attempts: ReadonlyMap<string, readonly string[]>, session?: Session): Promise<void> {
    if (attempts.size === 0) return;
    await this.#turns().bulkWrite(
      [...attempts].map(([_id, ids]) => ({
        updateOne: { filter: { _id }, update: { $pull: { recent: { attempt: { $in: [...ids] } } } } },
      })),
      { ...(session && { session }), ordered: false },
    );
  }

  /** None of the methods `except`: their turns are read and passed over. */
  async claim(now: Date, most: number, except: readonly ContactMethod[] = []): Promise<readonly Turn[]> {
    for (let tries = 0; tries < MOST_CLAIMS; tries += 1) {
      const skip = tries === 0 ? 0 : Math.floor(Math.random() * tries * most);
      const ids = await this.#free({ now, most, skip, except });
      if (ids.length === 0 && skip === 0) return [];
      const turns = await this.#take(ids);
      if (turns.length > 0) return turns;
    }
    return [];
  }

  async renew(turns: readonly Turn[]): Promise<void> {
    if (turns.length === 0) return;
    const at = this.#now();
    const { matchedCount } = await this.#turns().updateMany(heldAs(turns), [{ $set: { leaseUntil: this.#lease() } }]);
    this.#keep(matchedCount === turns.length ? turns : await this.#stillHeld(turns), at);
  }

  /**
   * Whether a hand-over may begin in this turn. Where the database was slow or this process was frozen since the claim, the lease
   * may end before it is renewed: then whoever claims the turn next hands over what was begun. The turn of another process, never.
   */
  mayStart(turn: Turn): boolean {
    const keptAt = this.#keptAt.get(turn) ?? -Infinity;
    return this.#now() + KEPT_WITHIN_MS < keptAt + this.#leaseMs;
  }

  /** Gives turns back, perhaps with the rest of a transaction: their people wait as they did before. */
  async release(turns: readonly Turn[], session?: Session): Promise<void> {
    if (turns.length === 0) return;
    const free = { $set: { leaseUntil: null, token: null } };
    await this.#turns().updateMany(heldAs(turns), free, session === undefined ? {} : { session });
  }

  /**
   * From now on whoever writes one of the turns waits for this transaction, or loses to it. Without it a long transaction loses at
   * its end: to those who call the turns, and each second to this process, which keeps them.
   */
  async lock(turns: readonly Turn[], session: Session): Promise<void> {
    await this.#turns().updateMany(heldAs(turns), { $inc: { calls: 1 } }, { session });
  }

  /** Frees turns whose holder let the lease pass; whether there were any. */
  async freeExpired(): Promise<boolean> {
    const { modifiedCount } = await this.#turns().updateMany(
      { leaseUntil: LEASED, $expr: { $lte: ['$leaseUntil', '$$NOW'] } },
      { $set: { leaseUntil: null, token: null } },
    );
    return modifiedCount > 0;
  }

  /** Ends turns that are still held; whoever has more to hear waits from `nextAt` on. */
  async end(turns: readonly TurnEnd[], session: Session): Promise<void> {
    if (turns.length === 0) return;
    await this.#turns().bulkWrite(
      turns.map(({ heldUntil, nextAt, turn: { id, token } }) => ({
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

  /** How many people wait for something that is due, those whose turn it is included. */
  async due(now: Date): Promise<number> {
    const nextAt = { $lte: now };
    return this.#turns().countDocuments({
      $or: [
        { leaseUntil: null, nextAt },
        { leaseUntil: LEASED, nextAt },
      ],
    });
  }

  /** When something is due next of which nobody holds the turn. */
  async nextDueAt(): Promise<Date | undefined> {
    const found = await this.#turns().findOne(
      { leaseUntil: null, nextAt: LEASED },
      { sort: { nextAt: 1 }, projection: { nextAt: 1 } },
    );
    return found?.nextAt ?? undefined;
  }

  async #free({ except, most, now, skip }: Claim): Promise<readonly string[]> {
    const others = except.length > 0 && { _id: { $not: new RegExp(`^(${except.join('|')}):`) } };
    const found = await this.#turns()
      .find({ leaseUntil: null, nextAt: { $lte: now }, ...others }, { projection: { _id: 1 } })
      .sort({ nextAt: 1 })
      .skip(skip)
      .limit(most)
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async #take(ids: readonly string[]): Promise<readonly Turn[]> {
    if (ids.length === 0) return [];
    const token = randomUUID();
    const at = this.#now();
    const { modifiedCount } = await this.#turns().updateMany({ _id: { $in: [...ids] }, leaseUntil: null }, [
      { $set: { leaseUntil: this.#lease(), token } },
    ]);
    const won = modifiedCount === ids.length ? ids : await this.#wonBy(token, ids);
    const turns = won.map((id) => ({ id, token }));
    this.#keep(turns, at);
    return turns;
  }

  async #wonBy(token: string, ids: readonly string[]): Promise<readonly string[]> {
    const won = await this.#turns()
      .find({ _id: { $in: [...ids] }, token }, { projection: { _id: 1 } })
      .toArray();
    return won.map(({ _id }) => _id);
  }

  /** Of turns of which some have ended those that have not: tokens are never used again, so these were renewed. */
  async #stillHeld(turns: readonly Turn[]): Promise<readonly Turn[]> {
    const found = await this.#turns()
      .find(heldAs(turns), { projection: { token: 1 } })
      .toArray();
    const tokens = new Map(found.map(({ _id, token }) => [_id, token]));
    return turns.filter(({ id, token }) => tokens.get(id) === token);
  }

  #keep(turns: readonly Turn[], at: number): void {
    for (const turn of turns) this.#keptAt.set(turn, Math.max(at, this.#keptAt.get(turn) ?? -Infinity));
  }

  #lease(): mongo.Document {
    return { $add: ['$$NOW', this.#leaseMs] };
  }

  #turns() {
    return collectionOf<TurnDocument>(this.#connection, this.#collection);
  }
}

/** Each under its own token: another of them may be that of a later claim. */
const heldAs = (turns: readonly Turn[]) => ({
  $or: [...Map.groupBy(turns, ({ token }) => token)].map(([token, of]) => ({
    _id: { $in: of.map(({ id }) => id) },
    token,
  })),
});

const orNull = (field: string): mongo.Document => ({ $ifNull: [field, null] });

/** The earlier of both instants; null is none. */
const called = (nextAt: Date): mongo.Document => ({
  nextAt: { $min: ['$nextAt', nextAt] },
  leaseUntil: orNull('$leaseUntil'),
  token: orNull('$token'),
  calls: { $add: [{ $ifNull: ['$calls', 0] }, 1] },
});

/** With the messages of the last minute before `message`; nothing is held any more. */
const remembered = (message: RecentMessage | undefined): mongo.Document =>
  message === undefined
    ? {}
    : {
        heldUntil: null,
        recent: {
          $slice: [
            {
              $concatArrays: [
                {
                  $filter: {
                    input: { $ifNull: ['$recent', []] },
                    cond: { $gt: ['$$this.at', new Date(message.at.getTime() - BUNDLED_WITHIN_MS)] },
                  },
                },
                // A contact may look like an expression.
                [{ $literal: message }],
              ],
            },
            -MOST_RECENT,
          ],
        },
      };

import { collectionOf, RetryGate, whenCommitted, type Connection, type Session } from '@tocsin/persistence';
import { isIdle } from '../application/begun-at-insertion.ts';
import type { RecentMessage } from '../domain/next-message.ts';
import type { Turn } from '../ports/delivery-store.ts';
import { TURNS } from './documents.ts';
import { MongoTurnLeases } from './mongo-turn-leases.ts';
import { ANY_DATE, called, ofKnownMethods, remembered, type TurnDocument } from './turn-document.ts';

/** What the end of a turn leaves. */
interface TurnEnd {
  readonly turn: Turn;
  /** When its person waits for something again. */
  readonly nextAt: Date | undefined;
  readonly heldUntil?: Date | undefined;
}

/** Turn -> the message that is begun in it. */
type BegunMessages = ReadonlyMap<string, RecentMessage>;

const NOTHING_BEGUN = { taken: [], begun: new Map<string, RecentMessage>() };

/** The turns for which people wait, or integrations: when something is due in each, and who holds it. */
export class MongoTurns {
  /**
   * For transactions that write turns. In a storm whoever adds messages writes the rows of the same few people that results are
   * written to (F2).
   */
  readonly gate = new RetryGate();
  /** Who holds turns, and for how long. */
  readonly leases: MongoTurnLeases;
  readonly #connection: Connection;
  readonly #collection: string;

  /** `now` is milliseconds of a clock of this process that is never set back. */
  constructor(
    connection: Connection,
    leaseMs: number,
    options: { readonly collection?: string; readonly now?: () => number } = {},
  ) {
    const { collection = TURNS, now = () => performance.now() } = options;
    this.leases = new MongoTurnLeases(connection, collection, leaseMs, now);
    this.#connection = connection;
    this.#collection = collection;
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
    const found = await this.#turns()
      .find({ _id: { $in: [...ids] } }, { session, projection: { leaseUntil: 1, nextAt: 1, recent: 1 } })
      .toArray();
    const idle = new Map<string, readonly RecentMessage[]>(ids.map((id) => [id, []]));
    for (const { _id, leaseUntil, nextAt, recent } of found)
      if (isIdle({ isLeased: leaseUntil !== null, nextAt: nextAt ?? undefined }, now)) idle.set(_id, recent ?? []);
      else idle.delete(_id);
    return idle;
  }

  /**
   * Lets people wait from the named instants on, with the rest of the transaction. Turns of `taken` are claimed at once, with what
   * is `begun` in them.
   */
  async enqueue(
    waiting: ReadonlyMap<string, Date>,
    session: Session,
    { begun, taken }: { readonly taken: readonly Turn[]; readonly begun: BegunMessages } = NOTHING_BEGUN,
  ): Promise<void> {
    if (waiting.size === 0) return;
    const lease = this.leases.begin();
    lease.keep(taken);
    const tokens = new Map(taken.map(({ id, token }) => [id, token]));
    await this.#turns().bulkWrite(
      [...waiting].map(([_id, nextAt]) => {
        const token = tokens.get(_id);
        const claim = token !== undefined && { leaseUntil: lease.until, token };
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
    const lease = this.leases.begin();
    await this.#turns().bulkWrite(
      kept.map(({ id, token }) => ({
        updateOne: {
          filter: { _id: id, token },
          update: [{ $set: { ...remembered(begun.get(id)), leaseUntil: lease.until } }],
        },
      })),
      { session, ordered: false },
    );
    whenCommitted(session, () => {
      lease.keep(kept);
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
      ...ofKnownMethods(this.#collection),
      $or: [
        { leaseUntil: null, nextAt },
        { leaseUntil: ANY_DATE, nextAt },
      ],
    });
  }

  /** Method -> how many turns of a method that only a newer release knows are due at `now`. */
  async countUnknown(now: Date): Promise<ReadonlyMap<string, number>> {
    const { _id } = ofKnownMethods(this.#collection);
    if (_id === undefined) return new Map();
    const method = { $arrayElemAt: [{ $split: ['$_id', ':'] }, 0] };
    const counts = await this.#turns()
      .aggregate<{ readonly _id: string; readonly rows: number }>([
        { $match: { leaseUntil: null, nextAt: { $lte: now }, _id: { $not: _id } } },
        { $group: { _id: method, rows: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counts.map(({ _id: name, rows }) => [name, rows]));
  }

  /** When something is due next of which nobody holds the turn. */
  async nextDueAt(): Promise<Date | undefined> {
    const found = await this.#turns().findOne(
      { leaseUntil: null, nextAt: ANY_DATE, ...ofKnownMethods(this.#collection) },
      { sort: { nextAt: 1 }, projection: { nextAt: 1 } },
    );
    return found?.nextAt ?? undefined;
  }

  #turns() {
    return collectionOf<TurnDocument>(this.#connection, this.#collection);
  }
}

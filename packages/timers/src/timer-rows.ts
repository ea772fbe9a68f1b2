import type { IndexPlan } from '@tocsin/persistence';
import { mongo, type ClientSession, type Connection } from 'mongoose';

/** The one index of a collection of timers: free rows by due instant, leased rows by the end of their lease. */
export function timerIndexes(collection: string): readonly IndexPlan[] {
  return [
    {
      collection,
      keys: { leaseUntil: 1, nextAt: 1 },
      serves: 'claims (free rows that are due, the oldest first) and the release of expired leases',
    },
  ];
}

/** A timer to be set. */
export interface TimerRow<P> {
  /** Deterministic: setting a timer with the same id replaces the row, even while it is claimed. */
  readonly id: string;
  /** Business time. A timer of the past fires at once. */
  readonly dueAt: Date;
  /** Changes each time the timer is set anew. `fire` compares it with the entity, and ignores a timer of an earlier value. */
  readonly fence: number;
  /** Of the kinds that the collection has; absent where it has one. A release leaves kinds that it does not know to a newer one. */
  readonly kind?: string;
  readonly payload: P;
}

/** A timer that this process has claimed. */
export interface DueTimer<P> extends TimerRow<P> {
  /** Of this claim. The claim is lost once the row has another token. */
  readonly token: string;
  /** Number of claims so far, this one included. */
  readonly attempts: number;
}

interface TimerDocument<P> {
  readonly _id: string;
  readonly nextAt: Date;
  readonly fence: number;
  /** Null where the collection has one kind. */
  readonly kind: string | null;
  readonly payload: P;
  /** By MongoDB's clock. Null while the row is free, so that free rows are one range of the index. */
  readonly leaseUntil: Date | null;
  readonly token: mongo.ObjectId | null;
  readonly attempts: number;
}

const LEASED = { $gt: new Date(0) };

/** How long a failed row stays leased: 1, 2, 4 … 60 s of real time. */
const BACK_OFF_MS = {
  $min: [60_000, { $multiply: [500, { $pow: [2, { $min: ['$attempts', 10] }] }] }],
};

/**
 * The rows of one collection of timers, and their leases. Leases are by MongoDB's clock, so the clocks of processes may differ.
 */
export class TimerRows<P> {
  readonly #rows: mongo.Collection<TimerDocument<unknown>>;
  readonly #known: { readonly kind: { readonly $in: (string | null)[] } };

  /** `kinds` are those that this release knows; undefined where the collection has one. */
  constructor(connection: Connection, collection: string, kinds?: readonly string[]) {
    if (connection.db === undefined) throw new TypeError('The connection was never opened.');
    this.#rows = connection.db.collection<TimerDocument<unknown>>(collection);
    this.#known = { kind: { $in: kinds === undefined ? [null] : [...kinds] } };
  }

  async put(rows: readonly TimerRow<P>[], session: ClientSession | undefined): Promise<void> {
    await this.#write(rows.map(setFree), session);
  }

  /** As `put`, but a row that is due earlier keeps its instant. */
  async bringForward(rows: readonly TimerRow<P>[], session: ClientSession | undefined): Promise<void> {
    await this.#write(rows.map(setFreeAtTheLatest), session);
  }

  /** The due instant of the earliest free row of a known kind. */
  async earliest(): Promise<Date | undefined> {
    return (await this.#first({ leaseUntil: null }))?.nextAt;
  }

  /** The due instant of the earliest row of a known kind, leased ones included. */
  async oldest(): Promise<Date | undefined> {
    const held = await this.#first({ leaseUntil: LEASED });
    const free = await this.earliest();
    if (held === null || free === undefined) return held?.nextAt ?? free;
    return held.nextAt < free ? held.nextAt : free;
  }

  /** Claims free rows of known kinds that are due at `now`: the oldest first, after `skip` of them. `asked` is how many it tried to claim. */
  async claim(
    now: Date,
    options: { limit: number; skip: number; leaseMs: number },
  ): Promise<{ asked: number; won: DueTimer<P>[] }> {
    const ids = await this.#dueIds(now, options);
    if (ids.length === 0) return { asked: 0, won: [] };
    const token = new mongo.ObjectId();
    const { modifiedCount } = await this.#rows.updateMany(
      { _id: { $in: ids }, leaseUntil: null, nextAt: { $lte: now } },
      [
        {
          $set: {
            leaseUntil: { $add: ['$$NOW', options.leaseMs] },
            token,
            attempts: { $add: ['$attempts', 1] },
          },
        },
      ],
    );
    if (modifiedCount === 0) return { asked: ids.length, won: [] };
    const won = await this.#rows.find({ _id: { $in: ids }, token }, { sort: { nextAt: 1 } }).toArray();
    return { asked: ids.length, won: won.map((row) => asDue<P>(row, token)) };
  }

  /** Removes those that still have their token, and returns how many. */
  async remove(due: readonly DueTimer<P>[], session: ClientSession | undefined): Promise<number> {
    let removed = 0;
    for (const [token, own] of Map.groupBy(due, (timer) => timer.token)) {
      const { deletedCount } = await this.#rows.deleteMany(
        { _id: { $in: own.map((timer) => timer.id) }, token: new mongo.ObjectId(token) },
        session === undefined ? {} : { session },
      );
      removed += deletedCount;
    }
    return removed;
  }

  /** Removes rows, whether they are leased or not. */
  async delete(ids: readonly string[], session: ClientSession | undefined): Promise<void> {
    if (ids.length === 0) return;
    await this.#rows.deleteMany({ _id: { $in: [...ids] } }, session === undefined ? {} : { session });
  }

  /**
   * Renews the lease of those that still have their token, unless it has expired: a server that was frozen runs the renewals of that
   * time when it goes on, and another process may have the rows by then.
   */
  async renew(due: readonly DueTimer<P>[], leaseMs: number): Promise<void> {
    if (due.length === 0) return;
    const tokens = new Set(due.map(({ token }) => token));
    await this.#rows.updateMany(
      {
        _id: { $in: due.map(({ id }) => id) },
        token: { $in: [...tokens].map((token) => new mongo.ObjectId(token)) },
        $expr: { $gt: ['$leaseUntil', '$$NOW'] },
      },
      [{ $set: { leaseUntil: { $add: ['$$NOW', leaseMs] } } }],
    );
  }

  /** Frees rows that were claimed and not fired, after `pauseMs` of real time. The claim does not count as an attempt. */
  async release(due: readonly DueTimer<P>[], pauseMs = 0): Promise<void> {
    await this.#update(due, {
      leaseUntil: pauseMs === 0 ? null : { $add: ['$$NOW', pauseMs] },
      token: null,
      attempts: { $subtract: ['$attempts', 1] },
    });
  }

  /** Keeps rows leased whose firing failed by their own fault: the more often it did, the longer. */
  async setBack(due: readonly DueTimer<P>[]): Promise<void> {
    await this.#update(due, { leaseUntil: { $add: ['$$NOW', BACK_OFF_MS] }, token: null });
  }

  /** Frees rows whose lease has expired. */
  async freeExpired(): Promise<void> {
    await this.#rows.updateMany(
      { leaseUntil: LEASED, $expr: { $lte: ['$leaseUntil', '$$NOW'] } },
      { $set: { leaseUntil: null, token: null } },
    );
  }

  /** Rows of known kinds that are due at `now`, leased ones included. */
  async countDue(now: Date): Promise<number> {
    const nextAt = { $lte: now };
    return this.#rows.countDocuments({
      ...this.#known,
      $or: [
        { leaseUntil: null, nextAt },
        { leaseUntil: LEASED, nextAt },
      ],
    });
  }

  /** Kind -> how many rows are due at `now` that a newer release has to fire. */
  async countUnknown(now: Date): Promise<ReadonlyMap<string, number>> {
    const unknown = { leaseUntil: null, nextAt: { $lte: now }, kind: { $nin: this.#known.kind.$in } };
    const counts = await this.#rows
      .aggregate<{ readonly _id: string | null; readonly rows: number }>([
        { $match: unknown },
        { $group: { _id: '$kind', rows: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counts.map(({ _id, rows }) => [String(_id), rows]));
  }

  async #first(of: mongo.Filter<TimerDocument<unknown>>): Promise<{ readonly nextAt: Date } | null> {
    return this.#rows.findOne({ ...of, ...this.#known }, { sort: { nextAt: 1 }, projection: { nextAt: 1 } });
  }

  async #write(writes: readonly Write[], session: ClientSession | undefined): Promise<void> {
    if (writes.length === 0) return;
    const options = { ordered: false, ignoreUndefined: true };
    await this.#rows.bulkWrite([...writes], session === undefined ? options : { ...options, session });
  }

  async #dueIds(now: Date, options: { limit: number; skip: number }): Promise<string[]> {
    const found = await this.#rows
      .find({ leaseUntil: null, nextAt: { $lte: now }, ...this.#known }, { projection: { _id: 1 } })
      .sort({ nextAt: 1 })
      .skip(options.skip)
      .limit(options.limit)
      .toArray();
    return found.map((row) => row._id);
  }

  async #update(due: readonly DueTimer<P>[], set: mongo.Document): Promise<void> {
    for (const [token, own] of Map.groupBy(due, (timer) => timer.token)) {
      await this.#rows.updateMany({ _id: { $in: own.map((timer) => timer.id) }, token: new mongo.ObjectId(token) }, [
        { $set: set },
      ]);
    }
  }
}

function asDue<P>(row: TimerDocument<unknown>, token: mongo.ObjectId): DueTimer<P> {
  return {
    id: row._id,
    dueAt: row.nextAt,
    fence: row.fence,
    ...(typeof row.kind === 'string' && { kind: row.kind }),
    payload: row.payload as P,
    token: token.toHexString(),
    attempts: row.attempts,
  };
}

type Write = mongo.AnyBulkWriteOperation<TimerDocument<unknown>>;

const setFree = ({ id, dueAt, fence, kind, payload }: TimerRow<unknown>): Write => ({
  replaceOne: {
    filter: { _id: id },
    replacement: { nextAt: dueAt, fence, kind: kind ?? null, payload, leaseUntil: null, token: null, attempts: 0 },
    upsert: true,
  },
});

const setFreeAtTheLatest = ({ id, dueAt, fence, kind, payload }: TimerRow<unknown>): Write => ({
  updateOne: {
    filter: { _id: id },
    update: [
      {
        $set: {
          // $min ignores the missing field where there is no row yet.
          nextAt: { $min: ['$nextAt', dueAt] },
          fence,
          kind: kind ?? null,
          payload: { $literal: payload },
          leaseUntil: null,
          token: null,
          attempts: 0,
        },
      },
    ],
    upsert: true,
  },
});

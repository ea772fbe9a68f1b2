import { randomUUID } from 'node:crypto';
import { type mongo, type Connection } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';

export const OUTBOX = 'outbox';
export const OUTBOX_REFUSED = 'outbox_refused';

/** Compared field by field: by the moment of adding, which for one process is the order of adding. */
export interface OutboxRowId {
  /** Microseconds since the epoch, and strictly growing within a process. */
  readonly seq: number;
  readonly owner: string;
}

export interface OutboxRow {
  readonly _id: OutboxRowId;
  readonly topic: string;
  /** JSON, because a message may hold keys and absent values that BSON would change. */
  readonly message: string;
}

/** How long ago the row was added, real time. */
export function ageMs({ seq }: OutboxRowId): number {
  return Math.max(0, Date.now() - seq / 1_000);
}

/** The stored side of an outbox: rows of many processes in one order. */
export class OutboxRows {
  readonly #rows: mongo.Collection<OutboxRow>;
  readonly #refused: mongo.Collection<OutboxRow & { reason: string }>;
  /** Names this process: rows of others are left to them until they are old. */
  readonly #owner = randomUUID();
  #lastSeq = 0;

  constructor(connection: Connection) {
    this.#rows = collectionOf(connection, OUTBOX);
    this.#refused = collectionOf(connection, OUTBOX_REFUSED);
  }

  async add(session: Session, topic: string, messages: readonly unknown[]): Promise<readonly OutboxRowId[]> {
    const rows = messages.map((message) => ({ _id: this.#nextId(), topic, message: JSON.stringify(message) }));
    await this.#rows.insertMany(rows, { session, ordered: true });
    return rows.map((row) => row._id);
  }

  /** The rows after `after`, in order: those older than `olderThanMs`, and with `own` all those of this process. */
  async waiting(options: {
    after: OutboxRowId | undefined;
    limit: number;
    olderThanMs: number;
    own: boolean;
  }): Promise<readonly OutboxRow[]> {
    const { after, limit, olderThanMs, own } = options;
    const old: mongo.Filter<OutboxRow> = { _id: { $lt: { seq: (Date.now() - olderThanMs) * 1_000, owner: '' } } };
    const wanted = own ? { $or: [{ '_id.owner': this.#owner }, old] } : old;
    return this.#rows
      .find(after === undefined ? wanted : { $and: [{ _id: { $gt: after } }, wanted] }, {
        sort: { _id: 1 },
        limit,
        // What a failover could take back must not be published.
        readConcern: { level: 'majority' },
      })
      .toArray();
  }

  async remove(ids: readonly OutboxRowId[]): Promise<void> {
    await this.#rows.deleteMany({ _id: { $in: [...ids] } });
  }

  /** Puts a row aside that can never be published. */
  async refuse(row: OutboxRow, reason: string): Promise<void> {
    await this.#refused.replaceOne(
      { _id: row._id },
      { topic: row.topic, message: row.message, reason },
      { upsert: true },
    );
    await this.remove([row._id]);
  }

  async count(): Promise<number> {
    return this.#rows.countDocuments();
  }

  #nextId(): OutboxRowId {
    this.#lastSeq = Math.max(this.#lastSeq + 1, Date.now() * 1_000);
    return { seq: this.#lastSeq, owner: this.#owner };
  }
}

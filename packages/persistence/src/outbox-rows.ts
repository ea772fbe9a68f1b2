import { createHash, randomUUID } from 'node:crypto';
import type { TopicDefinition } from '@tocsin/contracts';
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
  /** A JSON array: text, because a message may hold keys and absent values that BSON would change. */
  readonly messages: string;
}

/** Messages that were added together and are stored, published and forgotten together. */
export interface OutboxEntry {
  readonly id: OutboxRowId;
  readonly topic: string;
  readonly messages: readonly unknown[];
}

/** Messages of one topic that are added with those of others. */
export interface OutboxLot {
  readonly topic: { readonly name: string };
  readonly messages: readonly unknown[];
}

/** Joins messages to the topic of exactly such; a list of lots no longer knows which messages they are. */
export function lotOf<T>(topic: TopicDefinition<T>, messages: readonly NoInfer<T>[]): OutboxLot {
  return { topic, messages };
}

/** A row of one message may be longer. */
const LONGEST_ROW = 1_000_000;

interface RefusedMessage {
  readonly _id: OutboxRowId & { readonly key: string };
  readonly topic: string;
  readonly message: string;
  readonly reason: string;
}

/** How long ago the row was added, real time. */
export function ageMs({ seq }: OutboxRowId): number {
  return Math.max(0, Date.now() - seq / 1_000);
}

/** The stored side of an outbox: rows of many processes in one order. */
export class OutboxRows {
  readonly #rows: mongo.Collection<OutboxRow>;
  readonly #refused: mongo.Collection<RefusedMessage>;
  /** Names this process: rows of others are left to them until they are old. */
  readonly #owner = randomUUID();
  #lastSeq = 0;

  constructor(connection: Connection) {
    this.#rows = collectionOf(connection, OUTBOX);
    this.#refused = collectionOf(connection, OUTBOX_REFUSED);
  }

  /** Few rows hold many messages: each row costs an insert, a delete and two records of replication. */
  async add(session: Session, lots: readonly OutboxLot[]): Promise<readonly OutboxEntry[]> {
    const added = lots.flatMap(({ topic, messages }) =>
      inRows(messages).map(({ own, text }) => ({ id: this.#nextId(), topic: topic.name, messages: own, text })),
    );
    const rows = added.map(({ id, topic, text }) => ({ _id: id, topic, messages: text }));
    await this.#rows.insertMany(rows, { session, ordered: true });
    return added;
  }

  /** The rows of `topics` after `after`, in order: those older than `olderThanMs`, and with `own` all those of this process. */
  async waiting(options: {
    after: OutboxRowId | undefined;
    topics: readonly string[];
    limit: number;
    olderThanMs: number;
    own: boolean;
  }): Promise<readonly OutboxEntry[]> {
    const { after, limit, olderThanMs, own, topics } = options;
    const old: mongo.Filter<OutboxRow> = { _id: { $lt: { seq: (Date.now() - olderThanMs) * 1_000, owner: '' } } };
    const due = own ? { $or: [{ '_id.owner': this.#owner }, old] } : old;
    const wanted = { $and: [{ topic: { $in: [...topics] } }, due] };
    const rows = await this.#rows
      .find(after === undefined ? wanted : { $and: [{ _id: { $gt: after } }, wanted] }, {
        sort: { _id: 1 },
        limit,
        // What a failover could take back must not be published.
        readConcern: { level: 'majority' },
      })
      .toArray();
    return rows.map(({ _id, topic, messages }) => ({ id: _id, topic, messages: JSON.parse(messages) as unknown[] }));
  }

  async remove(ids: readonly OutboxRowId[]): Promise<void> {
    await this.#rows.deleteMany({ _id: { $in: [...ids] } });
  }

  /** Puts one message of an entry aside that can never be published; again changes nothing. */
  async refuse({ id, topic }: OutboxEntry, message: unknown, reason: string): Promise<void> {
    const text = JSON.stringify(message);
    const key = createHash('sha256').update(text).digest('hex');
    await this.#refused.replaceOne({ _id: { ...id, key } }, { topic, message: text, reason }, { upsert: true });
  }

  async count(): Promise<number> {
    return this.#rows.countDocuments();
  }

  #nextId(): OutboxRowId {
    this.#lastSeq = Math.max(this.#lastSeq + 1, Date.now() * 1_000);
    return { seq: this.#lastSeq, owner: this.#owner };
  }
}

function inRows(messages: readonly unknown[]): { own: unknown[]; text: string }[] {
  const rows: { own: unknown[]; texts: string[]; length: number }[] = [];
  for (const message of messages) {
    const text = JSON.stringify(message);
    const last = rows.at(-1);
    if (last === undefined || last.length + text.length > LONGEST_ROW) {
      rows.push({ own: [message], texts: [text], length: text.length });
    } else {
      last.own.push(message);
      last.texts.push(text);
      last.length += text.length;
    }
  }
  return rows.map(({ own, texts }) => ({ own, text: `[${texts.join()}]` }));
}

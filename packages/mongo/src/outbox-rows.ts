import { createHash } from 'node:crypto';
import { readVersionOf, type TopicDefinition } from '@tocsin/events';
import { mongo, type Connection } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';
import type { DelayedRemoval } from './delayed-removal.ts';
import { LookStart } from './look-start.ts';
import type { OutboxEntry, RelayedRows, TopicVersion } from './relay-ports.ts';

export const OUTBOX = 'outbox';
export const OUTBOX_REFUSED = 'outbox_refused';
/** Serves each look: the rows of a topic in their order. */
export const OUTBOX_ORDER = { topic: 1, seq: 1 } as const;

export interface OutboxRow {
  readonly _id: mongo.ObjectId;
  readonly topic: string;
  /**
   * The time of the cluster at the insert, by which rows are read. MongoDB replaces an empty timestamp, which must be at the top
   * level of an inserted document.
   */
  readonly seq: mongo.Timestamp;
  /** Which process added it. Its own watch leaves the row out. */
  readonly process: string;
  /** Schema version of the messages. A release that reads only lower ones leaves the row to a newer one. */
  readonly version: number;
  /** A JSON array as text, because BSON would change some keys and absent values of messages. */
  readonly messages: string;
}

/** Messages and their topic. */
export interface TopicMessages {
  readonly topic: TopicVersion;
  readonly messages: readonly unknown[];
}

/** Checks that the messages are of the topic, which the type {@link TopicMessages} does not say. */
export function forTopic<T>(topic: TopicDefinition<T>, messages: readonly NoInfer<T>[]): TopicMessages {
  return { topic, messages };
}

/** Replaced by the server. */
const SERVER_TIME = new mongo.Timestamp({ t: 0, i: 0 });
/** In characters. A row with a single message may be longer. */
const MAX_ROW_LENGTH = 1_000_000;
/** How many published rows a look excludes by their ids. Where there are more, they are removed first. */
const MAX_EXCLUDED = 100;

/** In whole seconds; 0 where the clock of an earlier primary was ahead. */
const AGE_MS = { $max: [0, { $subtract: ['$$NOW', { $toDate: '$seq' }] }] };

/** The collection of an outbox. */
export class OutboxCollection {
  readonly #rows: mongo.Collection<OutboxRow>;
  readonly #process: string;

  constructor(connection: Connection, process: string) {
    this.#rows = collectionOf(connection, OUTBOX);
    this.#process = process;
  }

  /** Puts many messages into few rows, because each row costs an insert, a delete and two oplog entries. */
  async add(session: Session, additions: readonly TopicMessages[]): Promise<void> {
    const rows = additions.flatMap(({ topic, messages }) =>
      toRowTexts(messages).map((text) => ({
        _id: new mongo.ObjectId(),
        topic: topic.name,
        seq: SERVER_TIME,
        process: this.#process,
        version: topic.version ?? 1,
        messages: text,
      })),
    );
    await this.#rows.insertMany(rows, { session, ordered: true });
  }

  /** Removes rows of any topics. */
  async remove(ids: readonly mongo.ObjectId[]): Promise<void> {
    await this.#rows.deleteMany({ _id: { $in: [...ids] } });
  }

  async count(): Promise<number> {
    return this.#rows.countDocuments();
  }

  /** Whether there is a row in one of the ranges, without the rows `published`. One query, however many ranges there are. */
  async hasRow(ranges: readonly OutboxRange[], published: readonly mongo.ObjectId[]): Promise<boolean> {
    const found = await this.#rows.findOne(
      { $or: [...ranges], _id: { $nin: [...published] } },
      { hint: OUTBOX_ORDER, projection: { _id: 1 } },
    );
    return found !== null;
  }

  /**
   * Counts the rows that wait for a newer release, by topic and version: rows of other topics than `topics`, and rows of a higher
   * version. It reads the whole collection.
   */
  async countUnknown(topics: readonly TopicVersion[]): Promise<ReadonlyMap<string, number>> {
    const newer = topics.map((topic) => ({ topic: topic.name, version: { $gt: readVersionOf(topic) } }));
    const unknown = { topic: { $nin: topics.map(({ name }) => name) } };
    const counts = await this.#rows
      .aggregate<{ readonly _id: { readonly topic: string; readonly version: number }; readonly rows: number }>([
        { $match: { $or: [unknown, ...newer] } },
        { $group: { _id: { topic: '$topic', version: '$version' }, rows: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counts.map(({ _id, rows }) => [`${_id.topic} version ${_id.version}`, rows]));
  }
}

/**
 * The ids of the entities of a topic whose tombstones are in the outbox, also those that were just published. Undefined where more than
 * `limit` rows have tombstones.
 */
export async function waitingDeletions(
  connection: Connection,
  topic: string,
  limit: number,
): Promise<readonly string[] | undefined> {
  const rows = await collectionOf<OutboxRow>(connection, OUTBOX)
    .find(
      { topic, messages: /"deleted":true/ },
      { hint: OUTBOX_ORDER, limit: limit + 1, projection: { messages: 1 }, readConcern: { level: 'majority' } },
    )
    .toArray();
  if (rows.length > limit) return undefined;
  const messages = rows.flatMap(
    (row) => JSON.parse(row.messages) as { readonly id: string; readonly deleted: boolean }[],
  );
  return messages.filter(({ deleted }) => deleted).map(({ id }) => id);
}

/** The rows of a topic behind a position. */
export interface OutboxRange {
  readonly topic: string;
  readonly seq?: { readonly $gt: mongo.Timestamp };
}

export interface OutboxRowsOptions {
  readonly connection: Connection;
  readonly topic: string;
  /** Removes rows of all topics of this process. */
  readonly removal: DelayedRemoval<mongo.ObjectId>;
}

interface RefusedMessage {
  readonly _id: { readonly topic: string; readonly row: mongo.ObjectId; readonly key: string };
  readonly message: string;
  readonly reason: string;
  readonly refusedAt: Date;
}

type WaitingRow = Pick<OutboxRow, '_id' | 'seq' | 'version' | 'messages'> & { readonly ageMs: number };

/** A row that a look has shown. */
export interface StoredRow extends OutboxEntry {
  readonly id: mongo.ObjectId;
  readonly seq: mongo.Timestamp;
}

/**
 * The rows of one topic in the order of `seq`, whichever process added them.
 *
 * For one entity this is the order of committing: transactions that write the same entity conflict, so the later one begins after
 * the earlier one was committed, and the cluster's clock has gone on. For different entities it is not: a row may be committed
 * after one with a higher `seq`. So no look continues where another ended. Each reads a snapshot, without the rows that are
 * published already.
 */
export class OutboxRows implements RelayedRows<StoredRow> {
  readonly #rows: mongo.Collection<OutboxRow>;
  readonly #refused: mongo.Collection<RefusedMessage>;
  readonly #topic: string;
  readonly #removal: DelayedRemoval<mongo.ObjectId>;
  readonly #start = new LookStart<mongo.Timestamp>();

  constructor({ connection, topic, removal }: OutboxRowsOptions) {
    this.#rows = collectionOf(connection, OUTBOX);
    this.#refused = collectionOf(connection, OUTBOX_REFUSED);
    this.#topic = topic;
    this.#removal = removal;
  }

  async first(limit: number, maxVersion = Number.POSITIVE_INFINITY): Promise<readonly StoredRow[]> {
    if (this.#removal.size > MAX_EXCLUDED) await this.#removal.flush();
    const rows = await this.#rows
      .find<WaitingRow>(
        { ...this.range(), _id: { $nin: [...this.#removal.ids()] }, version: { $lte: maxVersion } },
        {
          sort: { seq: 1 },
          hint: OUTBOX_ORDER,
          limit,
          projection: { seq: 1, version: 1, messages: 1, ageMs: AGE_MS },
          // Majority-committed, because what a failover could take back must not be published. And of one moment: of two transactions
          // that are committed during the read, it must not see only the second.
          readConcern: { level: 'snapshot' },
        },
      )
      .toArray();
    return rows.map(({ _id, messages, ...row }) => ({ ...row, id: _id, messages: JSON.parse(messages) as unknown[] }));
  }

  get isFullLookDue(): boolean {
    return this.#start.isFullLookDue;
  }

  /** The range of the next look. */
  range(): OutboxRange {
    const after = this.#start.next();
    return { topic: this.#topic, ...(after && { seq: { $gt: after } }) };
  }

  recordPublished(entries: readonly StoredRow[]): void {
    const last = entries.at(-1);
    if (last !== undefined) this.#start.record(last.seq);
    this.#removal.add(entries.map(({ id }) => id));
  }

  async removePublished(): Promise<void> {
    await this.#removal.flush();
  }

  restartLooks(): void {
    this.#start.reset();
  }

  async refuse({ id }: StoredRow, message: unknown, reason: string): Promise<void> {
    const text = JSON.stringify(message);
    const key = createHash('sha256').update(text).digest('hex');
    const refused = { message: { $literal: text }, reason: { $literal: reason }, refusedAt: '$$NOW' };
    await this.#refused.updateOne({ _id: { topic: this.#topic, row: id, key } }, [{ $set: refused }], { upsert: true });
  }
}

/** The messages as texts of rows: JSON arrays of limited length. */
function toRowTexts(messages: readonly unknown[]): readonly string[] {
  const rows: { readonly texts: string[]; length: number }[] = [];
  for (const message of messages) {
    const text = JSON.stringify(message);
    const last = rows.at(-1);
    if (last === undefined || last.length + text.length > MAX_ROW_LENGTH) {
      rows.push({ texts: [text], length: text.length });
    } else {
      last.texts.push(text);
      last.length += text.length;
    }
  }
  return rows.map(({ texts }) => `[${texts.join()}]`);
}

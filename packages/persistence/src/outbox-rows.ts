import { createHash, randomUUID } from 'node:crypto';
import type { TopicDefinition } from '@tocsin/contracts';
import { mongo, type Connection } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';
import type { OutboxEntry, RelayedRows, RowsOf } from './relay-ports.ts';
import { DelayedRemoval } from './delayed-removal.ts';

export const OUTBOX = 'outbox';
export const OUTBOX_REFUSED = 'outbox_refused';

/** Sorts as rows are read: by topic, by process, in the order of adding. */
export interface OutboxRowId {
  readonly topic: string;
  readonly owner: string;
  /** Strictly increasing within a process. */
  readonly seq: number;
}

export interface OutboxRow {
  readonly _id: OutboxRowId;
  /** Schema version of the messages. A release that knows only lower ones leaves the row to a newer one. */
  readonly version: number;
  /** A JSON array as text, because BSON would change some keys and absent values of messages. */
  readonly messages: string;
  /** In whole seconds by the database's clock, which replaces an empty timestamp. */
  readonly addedAt: mongo.Timestamp;
}

/** Messages and their topic. */
export interface TopicMessages {
  readonly topic: RelayedVersion;
  readonly messages: readonly unknown[];
}

/** A topic and the version of its schema that this release writes; 1 unless given. */
export interface RelayedVersion {
  readonly name: string;
  readonly version?: number;
}

/** Checks that the messages are of the topic, which the type {@link TopicMessages} does not say. */
export function forTopic<T>(topic: TopicDefinition<T>, messages: readonly NoInfer<T>[]): TopicMessages {
  return { topic, messages };
}

/** What {@link OutboxRows} needs. */
export interface OutboxRowsOptions {
  readonly connection: Connection;
  /** Older rows of another process are taken for those of a crashed one. By the database's clock, to a second. */
  readonly abandonedMs: number;
  /** Called when a removal failed. It is tried again. */
  readonly onError: (error: unknown) => void;
}

/** In characters. A row with a single message may be longer. */
const LONGEST_ROW = 1_000_000;
/** Most published rows that a read leaves out by their ids. More of them are removed first. */
const MOST_LEFT_OUT = 100;

type WaitingRow = Pick<OutboxRow, '_id' | 'messages'> & { readonly ageMs: number };

interface RefusedMessage {
  readonly _id: OutboxRowId & { readonly key: string };
  readonly message: string;
  readonly reason: string;
  readonly refusedAt: Date;
}

/**
 * The rows of an outbox in the database.
 *
 * For one key, the order of adding is the order of committing: transactions that write the same entity conflict, so the later one
 * adds its rows after the earlier one was committed. For different keys it is not: a row may be committed after one that was
 * added later. So no read continues where another ended. Each reads a snapshot from the beginning, without the rows that are
 * published already.
 */
export class OutboxRows implements RelayedRows<OutboxRowId> {
  readonly #rows: mongo.Collection<OutboxRow>;
  readonly #refused: mongo.Collection<RefusedMessage>;
  readonly #abandonedMs: number;
  /** Of this process. Rows of other owners are left to them until they are old. */
  readonly #owner = randomUUID();
  readonly #published: DelayedRemoval<OutboxRowId>;
  #lastSeq = 0;

  constructor({ connection, abandonedMs, onError }: OutboxRowsOptions) {
    this.#rows = collectionOf(connection, OUTBOX);
    this.#refused = collectionOf(connection, OUTBOX_REFUSED);
    this.#abandonedMs = abandonedMs;
    this.#published = new DelayedRemoval({ remove: (ids) => this.#remove(ids), onError });
  }

  /** Puts many messages into few rows, because each row costs an insert, a delete and two oplog entries. */
  async add(session: Session, additions: readonly TopicMessages[]): Promise<void> {
    const rows = additions.flatMap(({ topic, messages }) =>
      inRows(messages).map((text) => ({
        _id: this.#nextId(topic.name),
        version: topic.version ?? 1,
        messages: text,
        addedAt: NOW,
      })),
    );
    await this.#rows.insertMany(rows, { session, ordered: true });
  }

  async waiting(
    { name, version = 1 }: RelayedVersion,
    whose: RowsOf,
    limit: number,
  ): Promise<readonly OutboxEntry<OutboxRowId>[]> {
    if (this.#published.size > MOST_LEFT_OUT) await this.#published.flush();
    const wanted = whose === 'own' ? this.#own(name) : this.#abandoned(name, version);
    const rows = await this.#rows
      .find<WaitingRow>(
        { $and: [wanted, { _id: { $nin: [...this.#published.ids()] } }] },
        {
          sort: { _id: 1 },
          limit,
          projection: { messages: 1, ageMs: AGE_MS },
          // Majority-committed, because what a failover could take back must not be published. And of one moment: of two transactions
          // that are committed during the read, it must not see only the second.
          readConcern: { level: 'snapshot' },
        },
      )
      .toArray();
    return rows.map(({ _id, messages, ageMs }) => ({
      id: _id,
      messages: JSON.parse(messages) as unknown[],
      ageMs,
    }));
  }

  published(entries: readonly OutboxEntry<OutboxRowId>[]): void {
    this.#published.add(entries.map(({ id }) => id));
  }

  async refuse({ id }: OutboxEntry<OutboxRowId>, message: unknown, reason: string): Promise<void> {
    const text = JSON.stringify(message);
    const key = createHash('sha256').update(text).digest('hex');
    const refused = { message: { $literal: text }, reason: { $literal: reason }, refusedAt: '$$NOW' };
    await this.#refused.updateOne({ _id: { ...id, key } }, [{ $set: refused }], { upsert: true });
  }

  /** Resolves when every row that was published before the call is removed. Rejects if that fails. */
  async removed(): Promise<void> {
    await this.#published.flush();
  }

  /** Of all processes. */
  async count(): Promise<number> {
    return this.#rows.countDocuments();
  }

  /**
   * Counts the rows that wait for a newer release, by topic and version: rows of other topics than `topics`, and rows of a higher
   * version. It reads the whole collection.
   */
  async countUnknown(topics: readonly RelayedVersion[]): Promise<ReadonlyMap<string, number>> {
    const newer = topics.map(({ name, version = 1 }) => ({ '_id.topic': name, version: { $gt: version } }));
    const unknown = { '_id.topic': { $nin: topics.map(({ name }) => name) } };
    const counts = await this.#rows
      .aggregate<{ readonly _id: { readonly topic: string; readonly version: number }; readonly rows: number }>([
        { $match: { $or: [unknown, ...newer] } },
        { $group: { _id: { topic: '$_id.topic', version: '$version' }, rows: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(counts.map(({ _id, rows }) => [`${_id.topic} version ${_id.version}`, rows]));
  }

  #own(topic: string): mongo.Filter<OutboxRow> {
    const owner = this.#owner;
    return { _id: { $gt: { topic, owner, seq: 0 }, $lt: { topic, owner, seq: Number.POSITIVE_INFINITY } } };
  }

  #abandoned(topic: string, version: number): mongo.Filter<OutboxRow> {
    const oneTopic = { $gt: { topic, owner: '', seq: 0 }, $lt: { topic, owner: '~', seq: 0 } };
    const isOld = { $gt: [AGE_MS, this.#abandonedMs] };
    return { _id: oneTopic, '_id.owner': { $ne: this.#owner }, version: { $lte: version }, $expr: isOld };
  }

  async #remove(ids: readonly OutboxRowId[]): Promise<void> {
    await this.#rows.deleteMany({ _id: { $in: [...ids] } });
  }

  #nextId(topic: string): OutboxRowId {
    this.#lastSeq += 1;
    return { topic, owner: this.#owner, seq: this.#lastSeq };
  }
}

/** MongoDB replaces an empty timestamp by its own time, also within a transaction. */
const NOW = new mongo.Timestamp({ t: 0, i: 0 });

const AGE_MS = { $subtract: ['$$NOW', { $toDate: '$addedAt' }] };

/** The messages as JSON arrays of limited length. */
function inRows(messages: readonly unknown[]): readonly string[] {
  const rows: { readonly texts: string[]; length: number }[] = [];
  for (const message of messages) {
    const text = JSON.stringify(message);
    const last = rows.at(-1);
    if (last === undefined || last.length + text.length > LONGEST_ROW) {
      rows.push({ texts: [text], length: text.length });
    } else {
      last.texts.push(text);
      last.length += text.length;
    }
  }
  return rows.map(({ texts }) => `[${texts.join()}]`);
}

import { createHash, randomUUID } from 'node:crypto';
import type { TopicDefinition } from '@tocsin/contracts';
import { mongo, type Connection } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';
import type { OutboxEntry, RelayedRows, RowsOf } from './relay-ports.ts';
import { RemovalLots } from './removal-lots.ts';

export const OUTBOX = 'outbox';
export const OUTBOX_REFUSED = 'outbox_refused';

/** Lies in the index as it is read: the rows of one topic, of one process, in the order in which it added them. */
export interface OutboxRowId {
  readonly topic: string;
  readonly owner: string;
  /** Strictly growing within a process. */
  readonly seq: number;
}

export interface OutboxRow {
  readonly _id: OutboxRowId;
  /** A JSON array: text, because a message may hold keys and absent values that BSON would change. */
  readonly messages: string;
  /** By the database's clock, in whole seconds: it fills in an empty one. */
  readonly addedAt: mongo.Timestamp;
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

/** What {@link OutboxRows} needs. */
export interface OutboxRowsOptions {
  readonly connection: Connection;
  /** Rows of another process that are older, by the database's clock, were left behind; a second less may do. */
  readonly abandonedMs: number;
  /** Hears of a removal that failed; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** A row of one message may be longer. */
const LONGEST_ROW = 1_000_000;
/** So many rows that are published and not removed yet are passed over by a look; more are removed first. */
const MOST_PASSED_OVER = 100;

type WaitingRow = Pick<OutboxRow, '_id' | 'messages'> & { readonly ageMs: number };

interface RefusedMessage {
  readonly _id: OutboxRowId & { readonly key: string };
  readonly message: string;
  readonly reason: string;
  readonly refusedAt: Date;
}

/**
 * The stored side of an outbox: rows of many processes, each read in the order in which its process added them.
 *
 * Transactions that write the same thing conflict, so the later of two has added its rows after the earlier was committed:
 * for one key, the order of adding is the order of committing. A row may be committed after one that was added later, so no
 * look goes on from where another ended: each reads one snapshot from the beginning, but for what is published already.
 */
export class OutboxRows implements RelayedRows<OutboxRowId> {
  readonly #rows: mongo.Collection<OutboxRow>;
  readonly #refused: mongo.Collection<RefusedMessage>;
  readonly #abandonedMs: number;
  /** Names this process: rows of others are left to them until they are old. */
  readonly #owner = randomUUID();
  readonly #published: RemovalLots<OutboxRowId>;
  #lastSeq = 0;

  constructor({ connection, abandonedMs, onError }: OutboxRowsOptions) {
    this.#rows = collectionOf(connection, OUTBOX);
    this.#refused = collectionOf(connection, OUTBOX_REFUSED);
    this.#abandonedMs = abandonedMs;
    this.#published = new RemovalLots({ remove: (ids) => this.#remove(ids), onError });
  }

  /** Few rows hold many messages: each row costs an insert, a delete and two records of replication. */
  async add(session: Session, lots: readonly OutboxLot[]): Promise<void> {
    const rows = lots.flatMap(({ topic, messages }) =>
      inRows(messages).map((text) => ({ _id: this.#nextId(topic.name), messages: text, addedAt: NOW })),
    );
    await this.#rows.insertMany(rows, { session, ordered: true });
  }

  async waiting(topic: string, whose: RowsOf, limit: number): Promise<readonly OutboxEntry<OutboxRowId>[]> {
    if (this.#published.size > MOST_PASSED_OVER) await this.#published.flush();
    const wanted = whose === 'own' ? this.#own(topic) : this.#abandoned(topic);
    const rows = await this.#rows
      .find<WaitingRow>(
        { $and: [wanted, { _id: { $nin: [...this.#published.ids()] } }] },
        {
          sort: { _id: 1 },
          limit,
          projection: { messages: 1, ageMs: AGE_MS },
          // What a failover could take back must not be published. And two transactions may be committed while a look lasts: it
          // must not see the second one alone.
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

  /** Resolves when every row that was published before the call is removed. */
  async removed(): Promise<void> {
    await this.#published.flush();
  }

  /** Of all processes. */
  async count(): Promise<number> {
    return this.#rows.countDocuments();
  }

  #own(topic: string): mongo.Filter<OutboxRow> {
    const owner = this.#owner;
    return { _id: { $gt: { topic, owner, seq: 0 }, $lt: { topic, owner, seq: Number.POSITIVE_INFINITY } } };
  }

  #abandoned(topic: string): mongo.Filter<OutboxRow> {
    const oneTopic = { $gt: { topic, owner: '', seq: 0 }, $lt: { topic, owner: '~', seq: 0 } };
    return { _id: oneTopic, '_id.owner': { $ne: this.#owner }, $expr: { $gt: [AGE_MS, this.#abandonedMs] } };
  }

  async #remove(ids: readonly OutboxRowId[]): Promise<void> {
    await this.#rows.deleteMany({ _id: { $in: [...ids] } });
  }

  #nextId(topic: string): OutboxRowId {
    this.#lastSeq += 1;
    return { topic, owner: this.#owner, seq: this.#lastSeq };
  }
}

/** Empty, so that the database fills in its own time, also within a transaction. */
const NOW = new mongo.Timestamp({ t: 0, i: 0 });

const AGE_MS = { $subtract: ['$$NOW', { $toDate: '$addedAt' }] };

/** The messages in few JSON arrays. */
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

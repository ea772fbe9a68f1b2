import type { Version } from '@tocsin/contracts';
import { mongo, type Connection } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';

export const DIRTY = 'dirty';

/** What a topic says of a deleted entity. */
export interface Tombstone {
  readonly version: Version;
  /** Business time of the delete. */
  readonly at: Date;
}

/** An entity of a compacted topic that must be published, or a tombstone that must be erased from it. */
export interface DirtyRow {
  /** `topic/entity`. */
  readonly _id: string;
  readonly topic: string;
  readonly entity: string;
  /**
   * New with each change, so that a row is removed only if it did not change meanwhile. A counter would begin again with the next
   * row.
   */
  readonly mark: mongo.ObjectId;
  /** By the database's clock. */
  readonly markedAt: Date;
  readonly tombstone: Tombstone | null;
  /** Null while the row waits to be published. Business time of the delete once its tombstone is on the topic. */
  readonly buriedAt: Date | null;
}

/** An entity that waits to be published, and for how long. */
export interface WaitingEntity {
  readonly entity: string;
  readonly ageMs: number;
}

const AGE_MS = { $subtract: ['$$NOW', '$markedAt'] };

/** Which entities of one topic have changed since they were last published. */
export class DirtyRows {
  readonly #rows: mongo.Collection<DirtyRow>;
  readonly #topic: string;

  constructor(connection: Connection, topic: string) {
    this.#rows = collectionOf(connection, DIRTY);
    this.#topic = topic;
  }

  /** Marks an entity as changed, or as deleted. */
  async mark(session: Session, entity: string, tombstone: Tombstone | null): Promise<void> {
    const _id = this.#id(entity);
    const row = { _id, topic: this.#topic, entity, mark: new mongo.ObjectId(), tombstone, buriedAt: null };
    const marked = { $mergeObjects: [{ $literal: row }, { markedAt: '$$NOW' }] };
    await this.#rows.updateOne({ _id }, [{ $replaceWith: marked }], { session, upsert: true });
  }

  /** The waiting rows of `entities`. */
  async of(entities: readonly string[]): Promise<readonly DirtyRow[]> {
    const ids = entities.map((entity) => this.#id(entity));
    return this.#rows.find({ _id: { $in: ids }, buriedAt: null }, { readConcern: { level: 'majority' } }).toArray();
  }

  /** The rows that have waited longer than `olderThanMs` by the database's clock, the oldest first. */
  async waiting(olderThanMs: number, limit: number): Promise<readonly WaitingEntity[]> {
    return this.#rows
      .find<WaitingEntity>({ topic: this.#topic, buriedAt: null, $expr: { $gt: [AGE_MS, olderThanMs] } })
      .project<WaitingEntity>({ _id: 0, entity: 1, ageMs: AGE_MS })
      .sort({ markedAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** Removes rows that were published, unless they were marked again. Tombstones stay, to be erased later. */
  async settle(rows: readonly DirtyRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#rows.bulkWrite(
      rows.map(({ _id, mark, tombstone }) =>
        tombstone === null
          ? { deleteOne: { filter: { _id, mark } } }
          : { updateOne: { filter: { _id, mark }, update: { $set: { buriedAt: tombstone.at } } } },
      ),
      { ordered: false },
    );
  }

  /** Makes the tombstones of `entities` wait again, published ones and those that another process publishes now. */
  async republishTombstones(entities: readonly string[]): Promise<void> {
    const ids = entities.map((entity) => this.#id(entity));
    await this.#rows.updateMany(
      { _id: { $in: ids }, tombstone: { $ne: null } },
      { $set: { buriedAt: null, mark: new mongo.ObjectId(), markedAt: new Date(0) } },
    );
  }

  /** Published tombstones of deletes before `before`. */
  async publishedTombstones(before: Date, limit: number): Promise<readonly DirtyRow[]> {
    return this.#rows
      .find({ topic: this.#topic, buriedAt: { $lt: before, $gt: new Date(0) } })
      .limit(limit)
      .toArray();
  }

  async forget(rows: readonly DirtyRow[]): Promise<void> {
    await this.#rows.deleteMany({ $or: rows.map(({ _id, mark }) => ({ _id, mark })) });
  }

  async count(): Promise<number> {
    return this.#rows.countDocuments({ topic: this.#topic, buriedAt: null });
  }

  #id(entity: string): string {
    return `${this.#topic}/${entity}`;
  }
}

import type { Version } from '@tocsin/events';
import type { Connection, mongo } from 'mongoose';
import { collectionOf, readOptions, type Session } from './connection.ts';

export const TOMBSTONES = 'tombstones';

/**
 * The deletion of an entity of a compacted topic. Its tombstone, the message of the deletion, is published again until the key of
 * the entity is erased, a day later.
 */
export interface Tombstone {
  /** `topic/entity`. */
  readonly _id: string;
  readonly topic: string;
  readonly entity: string;
  /** Greater than that of its last state. */
  readonly version: Version;
  /** By the database's clock. */
  readonly deletedAt: Date;
}

/** A tombstone, and how long ago its entity was deleted. */
export type AgedTombstone = Tombstone & { readonly ageMs: number };

/** The entities of one topic that were deleted, until their keys are erased from it. */
export class Tombstones {
  readonly #rows: mongo.Collection<Tombstone>;
  readonly #topic: string;

  constructor(connection: Connection, topic: string) {
    this.#rows = collectionOf(connection, TOMBSTONES);
    this.#topic = topic;
  }

  async add(session: Session, entity: string, version: Version): Promise<void> {
    const row = { _id: this.#id(entity), topic: this.#topic, entity, version };
    const written = { $mergeObjects: [{ $literal: row }, { deletedAt: '$$NOW' }] };
    await this.#rows.updateOne({ _id: row._id }, [{ $replaceWith: written }], { session, upsert: true });
  }

  /** The tombstones of `entities`, as the transaction of `session` sees them, if one is given. */
  async find(entities: readonly string[], session?: Session): Promise<readonly Tombstone[]> {
    const ids = entities.map((entity) => this.#id(entity));
    return this.#rows.find({ _id: { $in: ids } }, readOptions(session)).toArray();
  }

  /** All of them, in any order. */
  all(): AsyncIterable<AgedTombstone> {
    return this.#rows
      .find<AgedTombstone>({ topic: this.#topic }, { readConcern: { level: 'majority' } })
      .project<AgedTombstone>({
        topic: 1,
        entity: 1,
        version: 1,
        deletedAt: 1,
        ageMs: { $subtract: ['$$NOW', '$deletedAt'] },
      });
  }

  /** Removes those that were not written again meanwhile. */
  async remove(tombstones: readonly Tombstone[]): Promise<void> {
    if (tombstones.length === 0) return;
    await this.#rows.deleteMany({ $or: tombstones.map(({ _id, deletedAt }) => ({ _id, deletedAt })) });
  }

  #id(entity: string): string {
    return `${this.#topic}/${entity}`;
  }
}

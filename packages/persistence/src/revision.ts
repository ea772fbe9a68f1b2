import type { Connection, mongo } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';

export const REVISIONS = 'revisions';

interface RevisionDocument {
  readonly _id: string;
  readonly n: number;
}

const moved = new WeakSet<Session>();

/**
 * The number of configuration writes that a database has seen: whoever holds compiled configuration reads it first and
 * reloads when it is behind, so a write governs everything accepted after its answer (E13).
 */
export class Revision {
  readonly #collection: mongo.Collection<RevisionDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, REVISIONS);
  }

  /** 0 before the first write. */
  async current(session?: Session): Promise<number> {
    const found = await this.#collection.findOne({ _id: 'configuration' }, session === undefined ? {} : { session });
    return found?.n ?? 0;
  }

  /**
   * Part of every transaction that changes configuration; two such transactions settle one after the other. Of several calls in
   * one transaction the first counts.
   */
  async bump(session: Session): Promise<void> {
    if (moved.has(session)) return;
    moved.add(session);
    await this.#collection.updateOne({ _id: 'configuration' }, { $inc: { n: 1 } }, { session, upsert: true });
  }
}

import type { Connection, mongo } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';

export const REVISIONS = 'revisions';

interface RevisionDocument {
  readonly _id: string;
  readonly n: number;
}

/** The number that each transaction made its own. */
const moved = new WeakMap<Session, number>();

/**
 * The number of configuration writes that a database has seen: whoever holds compiled configuration reads it first and
 * reloads when it is behind, so a write governs everything accepted after its answer (E13).
 */
export class Revision {
  readonly #collection: mongo.Collection<RevisionDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, REVISIONS);
  }

  /** 0 before the first write. Outside of a transaction no write counts that a fail-over may take back. */
  async current(session?: Session): Promise<number> {
    const options = session === undefined ? { readConcern: { level: 'majority' } as const } : { session };
    const found = await this.#collection.findOne({ _id: 'configuration' }, options);
    return found?.n ?? 0;
  }

  /**
   * Part of every transaction that changes configuration; two such transactions settle one after the other: from this call to
   * the commit every other one is turned back and begins anew. Of several calls in one transaction the first counts.
   *
   * @returns the number that the commit gives the configuration.
   */
  async bump(session: Session): Promise<number> {
    const before = moved.get(session);
    if (before !== undefined) return before;
    const found = await this.#collection.findOneAndUpdate(
      { _id: 'configuration' },
      { $inc: { n: 1 } },
      { session, upsert: true, returnDocument: 'after' },
    );
    if (found === null) throw new TypeError('An upsert always gives a document.');
    moved.set(session, found.n);
    return found.n;
  }
}

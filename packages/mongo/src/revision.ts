import type { Connection, mongo } from 'mongoose';
import { collectionOf, type Session } from './connection.ts';

export const REVISIONS = 'revisions';

interface RevisionDocument {
  readonly _id: string;
  readonly n: number;
}

/** The revision that each transaction has made. */
const incremented = new WeakMap<Session, number>();

/**
 * Counts the configuration writes of a database. A process that holds compiled configuration reads the count first, and reloads
 * when it is behind. So a write applies to everything that is accepted after its answer (E13).
 */
export class Revision {
  readonly #collection: mongo.Collection<RevisionDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, REVISIONS);
  }

  /** 0 before the first write. Without a session it may count a write that a fail-over takes back. */
  async current(session?: Session): Promise<number> {
    const found = await this.#collection.findOne({ _id: 'configuration' }, session === undefined ? {} : { session });
    return found?.n ?? 0;
  }

  /**
   * Every transaction that changes configuration calls this. From the call to the commit, each other such transaction conflicts and
   * is retried. Further calls in one transaction change nothing.
   *
   * @returns the revision that the commit makes.
   */
  async increment(session: Session): Promise<number> {
    const before = incremented.get(session);
    if (before !== undefined) return before;
    const found = await this.#collection.findOneAndUpdate(
      { _id: 'configuration' },
      { $inc: { n: 1 } },
      { session, upsert: true, returnDocument: 'after' },
    );
    if (found === null) throw new TypeError('An upsert always gives a document.');
    incremented.set(session, found.n);
    return found.n;
  }
}

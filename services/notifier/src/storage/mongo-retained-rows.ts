import { collectionOf, type Connection } from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import type { Kept, RetainedRows } from '../ports/retained-rows.ts';
import { ACTS, DELIVERIES, NOTICES, REPLY_CODES, STANDINGS } from './documents.ts';

/** Most rows that one call removes. */
const LOT = 500;

const ENDED: Record<Kept, (until: Date) => { readonly collection: string; readonly filter: mongo.Document }> = {
  // One with a repetition ahead of it is alive however old it is.
  deliveries: (until) => ({
    collection: DELIVERIES,
    filter: { endedAt: { $exists: true, $lte: until }, nextDueAt: null },
  }),
  notices: (until) => ({ collection: NOTICES, filter: { at: { $lte: until } } }),
  acts: (until) => ({ collection: ACTS, filter: { at: { $lte: until } } }),
  codes: (until) => ({ collection: REPLY_CODES, filter: { expiresAt: { $lte: until } } }),
  standings: (until) => ({
    collection: STANDINGS,
    filter: { status: { $in: ['closed', 'deleted'] }, changedAt: { $lte: until } },
  }),
};

/** Old rows in MongoDB. */
export class MongoRetainedRows implements RetainedRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async remove(kind: Kept, until: Date): Promise<number> {
    const { collection, filter } = ENDED[kind](until);
    const rows = collectionOf<{ _id: string }>(this.#connection, collection);
    const found = await rows.find(filter, { projection: { _id: 1 }, limit: LOT }).toArray();
    if (found.length === 0) return 0;
    // A row that is alive again by now stays.
    await rows.deleteMany({ $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, filter] });
    return found.length < LOT ? 0 : found.length;
  }
}

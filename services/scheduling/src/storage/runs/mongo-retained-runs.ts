import { collectionOf, type Connection } from '@tocsin/persistence';
import type { RetainedRuns } from '../../ports/retained-runs.ts';
import { BY_END, RUNS, type RunDocument } from './documents.ts';

/** Most runs that one call removes. */
const LOT = 500;

/** Old runs in MongoDB. */
export class MongoRetainedRuns implements RetainedRuns {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async remove(until: Date): Promise<number> {
    const runs = collectionOf<RunDocument>(this.#connection, RUNS);
    const ended = { endedAt: { $exists: true, $lte: until } };
    const found = await runs.find(ended, { sort: BY_END, hint: BY_END, limit: LOT, projection: { _id: 1 } }).toArray();
    if (found.length === 0) return 0;
    // What has changed by now stays.
    await runs.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...ended });
    return found.length;
  }
}

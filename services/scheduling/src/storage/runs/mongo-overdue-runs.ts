import { BY_DUE, collectionOf, type Connection } from '@tocsin/persistence';
import type { OverdueRun, OverdueRuns } from '../../ports/overdue-runs.ts';
import { BY_END, RUNS, type RunDocument } from './documents.ts';

const MOST_COUNTED = 1_000_000;

/** Overdue runs in MongoDB. */
export class MongoOverdueRuns implements OverdueRuns {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(until: Date, most: number): Promise<readonly OverdueRun[]> {
    const due = { nextDueAt: { $exists: true, $lte: until } };
    const found = await this.#runs()
      .find(due, { sort: BY_DUE, hint: BY_DUE, limit: most, projection: { nextDueAt: 1 } })
      .toArray();
    return found.map(({ _id, nextDueAt: dueAt = until }) => ({ alertId: _id, dueAt }));
  }

  async countOpen(): Promise<number> {
    const all = await this.#runs().estimatedDocumentCount();
    const ended = await this.#runs().countDocuments(
      { endedAt: { $exists: true } },
      { hint: BY_END, limit: MOST_COUNTED },
    );
    return Math.max(0, all - ended);
  }

  #runs() {
    return collectionOf<RunDocument>(this.#connection, RUNS);
  }
}

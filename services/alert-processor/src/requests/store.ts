import { collectionOf, type Connection } from '@tocsin/mongo';
import { reading, STATUSES } from '../database.ts';
import { type RequestStatus, type StatusDocument, storedStatus } from './request-status.ts';

const MAX_COUNTED = 1_000_000;

/** The statuses of processed requests. */

export class RequestStatusStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The statuses of those `requestIds` that have been processed. */

  async find(requestIds: readonly string[]): Promise<readonly RequestStatus[]> {
    const statuses = collectionOf<StatusDocument>(this.#connection, STATUSES);
    return (await reading(statuses.find({ _id: { $in: [...requestIds] } }).toArray())).map(storedStatus);
  }

  /** The requests that were processed at `instant` or later, counted up to 1 000 000. */

  async countSince(instant: Date): Promise<number> {
    const statuses = collectionOf<StatusDocument>(this.#connection, STATUSES);
    return reading(statuses.countDocuments({ processedAt: { $gte: instant } }, { limit: MAX_COUNTED }));
  }
}

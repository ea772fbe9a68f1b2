import { collectionOf, type Connection } from '@tocsin/persistence';
import type { RequestStatus } from '../domain/request-status.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';
import { STATUSES } from './collections.ts';
import { reading } from './reading.ts';
import { statusOf, type StatusDocument } from './status-document.ts';

export class MongoRequestStatuses implements RequestStatuses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(requestIds: readonly string[]): Promise<readonly RequestStatus[]> {
    const statuses = collectionOf<StatusDocument>(this.#connection, STATUSES);
    return (await reading(statuses.find({ _id: { $in: [...requestIds] } }).toArray())).map(statusOf);
  }
}

import { collectionOf, type Connection } from '@tocsin/persistence';
import type { RequestStatus } from '../domain/request-status.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';
import type { SettledCounts } from '../ports/settled-counts.ts';
import { STATUSES } from './collections.ts';
import { reading } from './reading.ts';

export interface StatusDocument extends Omit<RequestStatus, 'requestId' | 'ownerTeamId'> {
  readonly _id: string;
  readonly ownerTeamId: string | null;
}

export function statusDocument({ requestId, ownerTeamId, ...same }: RequestStatus): StatusDocument {
  return { _id: requestId, ...same, ownerTeamId: ownerTeamId ?? null };
}

export function statusOf({ _id, ownerTeamId, ...same }: StatusDocument): RequestStatus {
  return { requestId: _id, ...same, ownerTeamId: ownerTeamId ?? undefined };
}

const MOST_COUNTED = 1_000_000;

export class MongoRequestStatuses implements RequestStatuses, SettledCounts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(requestIds: readonly string[]): Promise<readonly RequestStatus[]> {
    const statuses = collectionOf<StatusDocument>(this.#connection, STATUSES);
    return (await reading(statuses.find({ _id: { $in: [...requestIds] } }).toArray())).map(statusOf);
  }

  async countSince(instant: Date): Promise<number> {
    const statuses = collectionOf<StatusDocument>(this.#connection, STATUSES);
    return reading(statuses.countDocuments({ processedAt: { $gte: instant } }, { limit: MOST_COUNTED }));
  }
}

import { collectionOf, type Connection } from '@tocsin/persistence';
import type { RequestStatus } from '../domain/request-status.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';
import type { SettledCounts } from '../ports/settled-counts.ts';
import { STATUSES } from './collections.ts';
import { reading } from './reading.ts';

export interface StatusDocument {
  readonly _id: string;
  readonly action: string;
  readonly success: boolean;
  readonly status: string;
  readonly alertId: string;
  readonly alias: string;
  readonly integrationId: string;
  readonly ownerTeamId: string | null;
  readonly processedAt: Date;
  readonly buried?: true;
}

export function statusDocument({ requestId, ownerTeamId, ...same }: RequestStatus): StatusDocument {
  return { _id: requestId, ...same, ownerTeamId: ownerTeamId ?? null };
}

function statusOf({ _id, ownerTeamId, ...same }: StatusDocument): RequestStatus {
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

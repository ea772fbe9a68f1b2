import type { RequestStatus } from '../domain/request-status.ts';

export interface RequestStatuses {
  /** The statuses of those `requestIds` that have settled. */
  find(requestIds: readonly string[]): Promise<readonly RequestStatus[]>;
}

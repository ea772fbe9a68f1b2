import type { RequestStatus } from '../domain/request-status.ts';

export interface RequestStatuses {
  /** Those of `requestIds` that have settled. */
  find(requestIds: readonly string[]): Promise<readonly RequestStatus[]>;
}

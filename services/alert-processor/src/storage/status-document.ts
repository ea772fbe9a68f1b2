import type { RequestStatus } from '../domain/request-status.ts';

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

export function statusOf({ _id, ownerTeamId, ...same }: StatusDocument): RequestStatus {
  return { requestId: _id, ...same, ownerTeamId: ownerTeamId ?? undefined };
}

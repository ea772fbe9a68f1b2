import { ForbiddenError } from '@tocsin/errors';

/** What a key may do with an entity. */
export type Access = 'none' | 'read' | 'write';

export interface TeamOwned {
  /** Undefined where it is the whole account's. */
  readonly ownerTeamId: string | undefined;
  readonly namedTeamIds?: readonly string[];
}

/**
 * What a key of team `teamId` may do with an entity: write those of its team, read those that name its team, and nothing with any
 * other, not even with those of no team (K4). A key of no team may do everything.
 */
export function teamAccess({ ownerTeamId, namedTeamIds = [] }: TeamOwned, teamId: string | undefined): Access {
  if (teamId === undefined || ownerTeamId === teamId) return 'write';
  return namedTeamIds.includes(teamId) ? 'read' : 'none';
}

/** The error for a key of a team (K4, K8, K9), with a message that clients know. */
export function teamKeyRefused(): ForbiddenError {
  return new ForbiddenError('Team API Keys are not authorized to perform this action.');
}

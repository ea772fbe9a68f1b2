import { ForbiddenError } from '@tocsin/errors';

/** What the holder of a key may do with a thing. */
export type Access = 'none' | 'read' | 'write';

/** Whose a thing is, and which teams it names. Of no team: the whole account's. */
export interface TeamOwned {
  readonly ownerTeamId: string | undefined;
  readonly namedTeamIds?: readonly string[];
}

/**
 * What a key bound to `teamId` may do with a thing: all with its own team's, read what names its team, and nothing with any
 * other, those of no team included (K4). A key that is bound to no team may do everything.
 */
export function teamAccess({ ownerTeamId, namedTeamIds = [] }: TeamOwned, teamId: string | undefined): Access {
  if (teamId === undefined || ownerTeamId === teamId) return 'write';
  return namedTeamIds.includes(teamId) ? 'read' : 'none';
}

/** Whether what a key writes may name a thing: its own team's things and those of no team (K9). */
export function mayName({ ownerTeamId }: TeamOwned, teamId: string | undefined): boolean {
  return teamId === undefined || ownerTeamId === undefined || ownerTeamId === teamId;
}

/** The refusal of a key because it is bound to a team (K4, K8, K9), in words that clients know. */
export function teamKeyRefused(): ForbiddenError {
  return new ForbiddenError('Team API Keys are not authorized to perform this action.');
}

import type { TeamQuery } from '@tocsin/contracts';
import type { Principal } from '@tocsin/key-auth';
import type { TeamCaller } from '../application/team-changes.ts';
import type { TeamReference } from '../domain/team.ts';

/** The team that a path names in the way that the query says (part 2, 4). */
export function teamReference(identifier = '', { identifierType }: TeamQuery): TeamReference {
  return identifierType === 'name' ? { name: identifier } : { id: identifier };
}

/** The caller of a request. */
export const teamCaller = ({ integrationName, teamId }: Principal): TeamCaller => ({
  name: integrationName,
  boundTo: teamId,
});

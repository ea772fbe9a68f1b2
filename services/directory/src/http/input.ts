import type { Principal } from '@tocsin/key-auth';
import type { TeamCaller } from '../application/team-changes.ts';
import type { Reference } from '../domain/reference.ts';

interface IdentifierQuery {
  readonly identifierType: 'id' | 'name';
}

/** What a path names in the way that the query says (part 2, 4). */
export const referenceOf = (identifier = '', { identifierType }: IdentifierQuery): Reference =>
  identifierType === 'name' ? { name: identifier } : { id: identifier };

/** The team that the path of something inside it names. */
export const teamOf = (params: Readonly<Record<string, string>>, query: IdentifierQuery): Reference =>
  referenceOf(params['teamIdentifier'], query);

export const callerOf = ({ integrationName, teamId }: Principal): TeamCaller => ({
  name: integrationName,
  boundTo: teamId,
});

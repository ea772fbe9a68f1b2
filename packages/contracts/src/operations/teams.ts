import { LARGE_BODY, MEDIUM_BODY, SMALL_BODY, type Operation } from './operation.ts';

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
const write = { right: 'write-configuration', domain: 'configuration', owner: 'directory' } as const;
/** A team neither makes nor ends teams (K8). */
const accountWrite = { ...write, teamKeys: 'refused' } as const;

const TEAM = '/v2/teams/{identifier}';
const MEMBERS = '/v2/teams/{teamIdentifier}/members';
const RULES = '/v2/teams/{teamIdentifier}/routing-rules';
const ROLES = '/v2/teams/{teamIdentifier}/roles';

/** Part 2, 4.1 and 4.2, and wire facts 5 (roles of a team). */
export const TEAM_OPERATIONS = [
  {
    ...accountWrite,
    ...MEDIUM_BODY,
    id: 'create-team',
    method: 'POST',
    path: '/v2/teams',
    summary: 'Creates a team and its defaults',
  },
  { ...read, id: 'list-teams', method: 'GET', path: '/v2/teams', summary: 'Lists teams' },
  { ...read, id: 'get-team', method: 'GET', path: TEAM, summary: 'Reads a team' },
  { ...write, ...MEDIUM_BODY, id: 'update-team', method: 'PATCH', path: TEAM, summary: 'Changes a team' },
  {
    ...accountWrite,
    ...SMALL_BODY,
    id: 'delete-team',
    method: 'DELETE',
    path: TEAM,
    summary: 'Deletes a team and its defaults',
  },
  { ...read, id: 'list-team-logs', method: 'GET', path: `${TEAM}/logs`, summary: 'Lists the history of a team' },
  { ...write, ...MEDIUM_BODY, id: 'add-team-member', method: 'POST', path: MEMBERS, summary: 'Adds a user to a team' },
  {
    ...write,
    ...SMALL_BODY,
    id: 'remove-team-member',
    method: 'DELETE',
    path: `${MEMBERS}/{memberIdentifier}`,
    summary: 'Takes a user out of a team',
  },

  {
    ...write,
    ...LARGE_BODY,
    id: 'create-routing-rule',
    method: 'POST',
    path: RULES,
    summary: 'Creates a routing rule',
  },
  { ...read, id: 'list-routing-rules', method: 'GET', path: RULES, summary: 'Lists the routing rules of a team' },
  { ...read, id: 'get-routing-rule', method: 'GET', path: `${RULES}/{id}`, summary: 'Reads a routing rule' },
  {
    ...write,
    ...LARGE_BODY,
    id: 'update-routing-rule',
    method: 'PATCH',
    path: `${RULES}/{id}`,
    summary: 'Changes a routing rule',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-routing-rule',
    method: 'DELETE',
    path: `${RULES}/{id}`,
    summary: 'Deletes a routing rule',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'change-routing-rule-order',
    method: 'POST',
    path: `${RULES}/{id}/change-order`,
    summary: 'Moves a routing rule',
  },

  {
    ...write,
    ...MEDIUM_BODY,
    id: 'create-team-role',
    method: 'POST',
    path: ROLES,
    summary: 'Creates a role inside a team',
  },
  { ...read, id: 'list-team-roles', method: 'GET', path: ROLES, summary: 'Lists the roles of a team' },
  { ...read, id: 'get-team-role', method: 'GET', path: `${ROLES}/{identifier}`, summary: 'Reads a role of a team' },
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'update-team-role',
    method: 'PATCH',
    path: `${ROLES}/{identifier}`,
    summary: 'Changes a role of a team',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-team-role',
    method: 'DELETE',
    path: `${ROLES}/{identifier}`,
    summary: 'Deletes a role of a team',
  },
] as const satisfies readonly Operation[];

import { blankIsAbsent, flexibleBoolean, listOf, optional, requiredText } from '@tocsin/events';
import { z } from 'zod';
import { Named } from '../answers/shared.ts';
import { identifierType } from '../bodies/query-values.ts';
import { MEDIUM_BODY, NO_RULES, resource, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_TEAM } from './paths.ts';
import { TeamPartQuery, TeamRole } from './teams.ts';

/** The most roles of a team beside its fixed ones. */
export const MAX_TEAM_ROLES = 100;
/** The most rights of one role, and the longest word for one, in code points. */
const MAX_RIGHTS = 100;
const NAME_LENGTH = 100;

const Right = z.object(
  { right: requiredText('Right', NAME_LENGTH), granted: flexibleBoolean },
  'should be an object such as {"right": "edit-schedules", "granted": true}',
);

/** Each right once, at the place of its first mention, granted or not as the last says. */
const Rights = listOf(Right, MAX_RIGHTS).transform((rights) => [
  ...new Map(rights.map((right) => [right.right, right])).values(),
]);

/** Wire facts 5: the body that creates a role inside a team. */
export const CreateTeamRoleBody = z.object({ name: requiredText('Role name', NAME_LENGTH), rights: optional(Rights) });
export type CreateTeamRoleBody = z.infer<typeof CreateTeamRoleBody>;

/** Wire facts 5: the body that changes one. Absent fields stay, an empty name too (E12); `rights` replaces all. */
export const UpdateTeamRoleBody = z.object({
  name: blankIsAbsent(requiredText('Role name', NAME_LENGTH)),
  rights: optional(Rights),
});
export type UpdateTeamRoleBody = z.infer<typeof UpdateTeamRoleBody>;

/** How a path names a role and its team (wire facts 5). */
export const TeamRoleQuery = z.object({ teamIdentifierType: identifierType, identifierType });
export type TeamRoleQuery = z.infer<typeof TeamRoleQuery>;

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'directory',
} as const;
const ROLES = '/v2/teams/{teamIdentifier}/roles';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22', name: 'Schedule editor' };
const rights = [{ right: 'edit-schedules', granted: true }];
const role = { ...written, rights };

/** Wire facts 5. */
export const TEAM_ROLES = resource('Team roles', NO_RULES, {
  'create-team-role': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: ROLES,
    summary: 'Creates a role inside a team',
    description: 'Rights are kept as they are written. A team has at most 100 roles beside `user` and `admin`.',
    params: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: CreateTeamRoleBody, example: { name: 'Schedule editor', rights } },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'list-team-roles': {
    ...read,
    method: 'GET',
    path: ROLES,
    summary: 'Lists the roles of a team',
    description: 'Without the roles `user` and `admin`, which every team has.',
    params: OF_TEAM,
    query: TeamPartQuery,
    success: dataAnswer(z.array(TeamRole), [role]),
    refusals: [404],
  },
  'get-team-role': {
    ...read,
    method: 'GET',
    path: `${ROLES}/{identifier}`,
    summary: 'Reads a role of a team',
    params: OF_TEAM,
    query: TeamRoleQuery,
    success: dataAnswer(TeamRole, role),
    refusals: [404],
  },
  'update-team-role': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: `${ROLES}/{identifier}`,
    summary: 'Changes a role of a team',
    description: 'What the body leaves out stays as it is; `rights` replaces the whole list.',
    params: OF_TEAM,
    query: TeamRoleQuery,
    body: { schema: UpdateTeamRoleBody, example: { name: 'Planner' } },
    success: changedAnswer('Updated', Named, { ...written, name: 'Planner' }),
    refusals: [404, 409],
  },
  'delete-team-role': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: `${ROLES}/{identifier}`,
    summary: 'Deletes a role of a team',
    params: OF_TEAM,
    query: TeamRoleQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});

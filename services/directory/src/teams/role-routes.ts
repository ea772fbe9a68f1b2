import { CreateTeamRoleBody, TeamPartQuery, TeamRoleQuery, UpdateTeamRoleBody } from '@tocsin/api';
import { defineRoute, type Route } from '@tocsin/http';
import { referenceOf, teamOf } from '../references/reference.ts';
import type { TeamRoles } from './role-operations.ts';
import type { TeamRole } from './team.ts';

/** `/v2/teams/{team}/roles` (wire facts 5). */
export function teamRoleRoutes(roles: TeamRoles): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-team-role',
      query: TeamPartQuery,
      body: CreateTeamRoleBody,
      handle: async ({ params, query, body, principal }) => {
        const team = teamOf(params, query);
        const role = await roles.create(team, body, principal);
        return { status: 201, body: { result: 'Created', data: brief(role) } };
      },
    }),
    defineRoute({
      operation: 'list-team-roles',
      query: TeamPartQuery,
      handle: async ({ params, query, principal }) => {
        const listed = await roles.list(teamOf(params, query), principal);
        return { body: { data: listed.map(whole) } };
      },
    }),
    ...singleRoleRoutes(roles),
  ];
}

function singleRoleRoutes(roles: TeamRoles): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-team-role',
      query: TeamRoleQuery,
      handle: async ({ params, query, principal }) => {
        const role = await roles.get(...namedBy(params, query), principal);
        return { body: { data: whole(role) } };
      },
    }),
    defineRoute({
      operation: 'update-team-role',
      query: TeamRoleQuery,
      body: UpdateTeamRoleBody,
      handle: async ({ params, query, body, principal }) => {
        const role = await roles.update(...namedBy(params, query), body, principal);
        return { body: { result: 'Updated', data: brief(role) } };
      },
    }),
    defineRoute({
      operation: 'delete-team-role',
      query: TeamRoleQuery,
      handle: async ({ params, query, principal }) => {
        await roles.remove(...namedBy(params, query), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

/** The team and the role of a path. */
const namedBy = (params: Readonly<Record<string, string>>, { teamIdentifierType, identifierType }: TeamRoleQuery) =>
  [
    referenceOf(params['teamIdentifier'], { identifierType: teamIdentifierType }),
    referenceOf(params['identifier'], { identifierType }),
  ] as const;

const brief = ({ id, name }: TeamRole) => ({ id, name });
const whole = ({ id, name, rights }: TeamRole) => ({ id, name, rights });

import { AddTeamMemberBody, TeamPartQuery } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { TeamMembers } from '../application/team-members.ts';
import { callerOf, teamOf } from './input.ts';

/** `/v2/teams/{team}/members` (part 2, 4.1). */
export function teamMemberRoutes(members: TeamMembers): readonly Route[] {
  return [
    defineRoute({
      operation: 'add-team-member',
      query: TeamPartQuery,
      body: AddTeamMemberBody,
      handle: async ({ params, query, body, principal }) => {
        const team = teamOf(params, query);
        return { body: { result: 'Added', data: await members.add(team, body, callerOf(principal)) } };
      },
    }),
    defineRoute({
      operation: 'remove-team-member',
      query: TeamPartQuery,
      handle: async ({ params, query, principal }) => {
        const team = teamOf(params, query);
        const data = await members.remove(team, params['memberIdentifier'] ?? '', callerOf(principal));
        return { body: { result: 'Removed', data } };
      },
    }),
  ];
}

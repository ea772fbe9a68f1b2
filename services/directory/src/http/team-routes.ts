import { CreateTeamBody, TeamQuery } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { CreateTeam } from '../application/create-team.ts';
import type { DeleteTeam } from '../application/delete-team.ts';
import type { NamedTeam, Teams } from '../application/teams.ts';
import type { TeamReference } from '../domain/team.ts';

export interface TeamHandlers {
  readonly createTeam: CreateTeam;
  readonly deleteTeam: DeleteTeam;
  readonly teams: Teams;
}

/** `/v2/teams` (part 2, 4.1). */
export function teamRoutes({ createTeam, deleteTeam, teams }: TeamHandlers): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-team',
      body: CreateTeamBody,
      handle: async ({ body }) => {
        const { id, name } = await createTeam.run(body);
        return { status: 201, body: { result: 'Created', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'get-team',
      query: TeamQuery,
      handle: async ({ params, query, principal }) => {
        const named = await teams.get(teamReference(params['identifier'], query), principal.teamId);
        return { body: { data: teamView(named) } };
      },
    }),
    defineRoute({
      operation: 'list-teams',
      handle: async ({ principal }) => {
        const listed = await teams.list(principal.teamId);
        const data = listed.map(({ id, name, description }) => ({ id, name, description }));
        return { body: { data } };
      },
    }),
    defineRoute({
      operation: 'delete-team',
      query: TeamQuery,
      handle: async ({ params, query }) => {
        await deleteTeam.run(teamReference(params['identifier'], query));
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

function teamReference(identifier = '', { identifierType }: TeamQuery): TeamReference {
  return identifierType === 'name' ? { name: identifier } : { id: identifier };
}

/** A member who was removed meanwhile is left out: nobody can be reached under that name. */
function teamView({ team: { id, name, description, members }, usernames }: NamedTeam): Record<string, unknown> {
  return {
    id,
    name,
    description,
    members: members.flatMap(({ userId, role }) => {
      const username = usernames.get(userId);
      return username === undefined ? [] : [{ user: { id: userId, username }, role }];
    }),
  };
}

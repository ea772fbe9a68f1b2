import { CreateTeamBody, TeamLogQuery, TeamQuery, UpdateTeamBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { CreateTeam } from '../application/create-team.ts';
import type { DeleteTeam } from '../application/delete-team.ts';
import type { Teams } from '../application/teams.ts';
import type { UpdateTeam } from '../application/update-team.ts';
import { callerOf, referenceOf } from './input.ts';
import { historyView, teamSummaryView, teamView } from './team-view.ts';

export interface TeamHandlers {
  readonly createTeam: CreateTeam;
  readonly updateTeam: UpdateTeam;
  readonly deleteTeam: DeleteTeam;
  readonly teams: Teams;
}

/** `/v2/teams` (part 2, 4.1). */
export function teamRoutes({ createTeam, updateTeam, deleteTeam, teams }: TeamHandlers): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-team',
      body: CreateTeamBody,
      handle: async ({ body, principal }) => {
        const { id, name } = await createTeam.run(body, principal.integrationName);
        return { status: 201, body: { result: 'Created', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'update-team',
      query: TeamQuery,
      body: UpdateTeamBody,
      handle: async ({ params, query, body, principal }) => {
        const data = await updateTeam.run(referenceOf(params['identifier'], query), body, callerOf(principal));
        return { body: { result: 'Updated', data } };
      },
    }),
    defineRoute({
      operation: 'delete-team',
      query: TeamQuery,
      handle: async ({ params, query }) => {
        await deleteTeam.run(referenceOf(params['identifier'], query));
        return { body: { result: 'Deleted' } };
      },
    }),
    ...teamReadRoutes(teams),
  ];
}

function teamReadRoutes(teams: Teams): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-team',
      query: TeamQuery,
      handle: async ({ params, query, principal }) => {
        const named = await teams.get(referenceOf(params['identifier'], query), callerOf(principal));
        return { body: { data: teamView(named) } };
      },
    }),
    defineRoute({
      operation: 'list-teams',
      handle: async ({ principal, publicUrl }) => {
        const listed = await teams.list(callerOf(principal));
        return { body: { data: listed.values().map((team) => teamSummaryView(team, publicUrl)) } };
      },
    }),
    defineRoute({
      operation: 'list-team-logs',
      query: TeamLogQuery,
      handle: async ({ params, query, principal }) => {
        const reference = referenceOf(params['identifier'], query);
        return { body: { data: historyView(await teams.history(reference, query, callerOf(principal))) } };
      },
    }),
  ];
}

import { z } from 'zod';
import {
  AddTeamMemberBody,
  CreateTeamBody,
  ImportTeamBody,
  TeamLogQuery,
  TeamPartQuery,
  TeamQuery,
  UpdateTeamBody,
} from '@tocsin/api';
import { formatInstant, oneOf, optionalReference, Teams as TeamsTopic } from '@tocsin/events';
import {
  defineInternalRoute,
  defineRoute,
  importedAs,
  importRoute,
  type InternalRoute,
  type Route,
  stateRoutes,
  actorName,
} from '@tocsin/http';
import { referenceOf, teamOf } from '../references/reference.ts';
import type { TeamImports } from './import-operations.ts';
import type { TeamMembers } from './member-operations.ts';
import type { NamedTeam, TeamHistory, Teams } from './operations.ts';
import type { TeamStore } from './store.ts';
import { teamMessage, type TeamSummary } from './team.ts';

export interface TeamHandlers {
  readonly teams: Teams;
  readonly teamImports: TeamImports;
}

/** `/v2/teams` (part 2, 4.1). */
export function teamRoutes({ teams, teamImports }: TeamHandlers): readonly Route[] {
  return [
    importRoute({
      operation: 'import-team',
      body: ImportTeamBody,
      put: async (id, body, principal) => importedAs(await teamImports.put(id, body, actorName(principal))),
    }),
    defineRoute({
      operation: 'create-team',
      body: CreateTeamBody,
      handle: async ({ body, principal }) => {
        const { id, name } = await teams.create(body, actorName(principal));
        return { status: 201, body: { result: 'Created', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'update-team',
      query: TeamQuery,
      body: UpdateTeamBody,
      handle: async ({ params, query, body, principal }) => {
        const data = await teams.update(referenceOf(params['identifier'], query), body, principal);
        return { body: { result: 'Updated', data } };
      },
    }),
    defineRoute({
      operation: 'delete-team',
      query: TeamQuery,
      handle: async ({ params, query }) => {
        await teams.remove(referenceOf(params['identifier'], query));
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
        const named = await teams.get(referenceOf(params['identifier'], query), principal);
        return { body: { data: teamView(named) } };
      },
    }),
    defineRoute({
      operation: 'list-teams',
      handle: async ({ principal, publicUrl }) => {
        const listed = await teams.list(principal);
        return { body: { data: listed.values().map((team) => teamSummaryView(team, publicUrl)) } };
      },
    }),
    defineRoute({
      operation: 'list-team-logs',
      query: TeamLogQuery,
      handle: async ({ params, query, principal }) => {
        const reference = referenceOf(params['identifier'], query);
        return { body: { data: historyView(await teams.history(reference, query, principal)) } };
      },
    }),
  ];
}

/** A team in answers, without members who were deleted meanwhile. */
function teamView({ team: { id, name, description, members }, usernames }: NamedTeam) {
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

/** A team as a list shows it (wire facts 5). There is no page for people to look at: both links lead to the API. */
function teamSummaryView({ id, name, description }: TeamSummary, publicUrl: string) {
  const url = `${publicUrl}/v2/teams/${encodeURIComponent(id)}`;
  return { id, name, description, links: { web: url, api: url } };
}

/** Lines of a history (part 2, 2.2); `offset` is there as long as more of it follows. */
function historyView({ lines, next }: TeamHistory) {
  return {
    ...(next === undefined ? {} : { offset: next }),
    logs: lines.map(({ owner, at, log }) => ({ owner, createdDate: formatInstant(at), log })),
  };
}

/** `/v2/teams/{team}/members` (part 2, 4.1). */
export function teamMemberRoutes(members: TeamMembers): readonly Route[] {
  return [
    defineRoute({
      operation: 'add-team-member',
      query: TeamPartQuery,
      body: AddTeamMemberBody,
      handle: async ({ params, query, body, principal }) => {
        const team = teamOf(params, query);
        return { body: { result: 'Added', data: await members.add(team, body, principal) } };
      },
    }),
    defineRoute({
      operation: 'remove-team-member',
      query: TeamPartQuery,
      handle: async ({ params, query, principal }) => {
        const team = teamOf(params, query);
        const data = await members.remove(team, params['memberIdentifier'] ?? '', principal);
        return { body: { result: 'Removed', data } };
      },
    }),
  ];
}

const UsesQuery = z.object({
  type: oneOf(['schedule', 'escalation']),
  id: z.string().min(1),
  exceptTeam: optionalReference(),
});

/** For other services: the states of teams, and which routing rules use a schedule or escalation. */
export function internalTeamRoutes(teams: Teams, store: Pick<TeamStore, 'withAny'>): readonly InternalRoute[] {
  return [
    ...stateRoutes(TeamsTopic, async (index, values) => {
      if (index !== 'id' && index !== 'name') return [];
      return (await store.withAny(index, values)).map(teamMessage);
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/uses',
      query: UsesQuery,
      handle: async ({ query: { type, id, exceptTeam } }) => ({
        body: { data: await teams.usesOf(type, id, exceptTeam) },
      }),
    }),
  ];
}

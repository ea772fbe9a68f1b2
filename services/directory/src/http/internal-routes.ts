import { z } from 'zod';
import { oneOf, optionalReference, Teams as TeamsTopic, Users as UsersTopic } from '@tocsin/contracts';
import { defineInternalRoute, stateRoutes, type InternalRoute } from '@tocsin/http';
import type { Teams } from '../application/teams.ts';
import { teamMessage } from '../domain/team.ts';
import { userMessage } from '../domain/user.ts';
import type { TeamStore } from '../ports/team-store.ts';
import type { UserStore } from '../ports/user-store.ts';

const UsesQuery = z.object({
  type: oneOf(['schedule', 'escalation']),
  id: z.string().min(1),
  exceptTeam: optionalReference(),
});

export interface InternalHandlers {
  readonly teams: Teams;
  readonly userStore: UserStore;
  readonly teamStore: TeamStore;
}

/** Asked by other services: the states of users and teams, and which routing rules use a schedule or escalation. */
export function internalRoutes({ teams, userStore, teamStore }: InternalHandlers): readonly InternalRoute[] {
  return [
    ...stateRoutes(UsersTopic, async (index, values) => {
      if (index !== 'id' && index !== 'username') return [];
      return (await userStore.withAny(index, values)).map(userMessage);
    }),
    ...stateRoutes(TeamsTopic, async (index, values) => {
      if (index !== 'id' && index !== 'name') return [];
      return (await teamStore.withAny(index, values)).map(teamMessage);
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

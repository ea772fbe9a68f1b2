import { oneOf, requiredText } from '@tocsin/events';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import { z } from 'zod';
import type { DirectoryRequests } from './operations.ts';

/** The requests of directory while it creates or deletes teams and users. */
export function teamRoutes(directoryRequests: DirectoryRequests): readonly InternalRoute[] {
  return [
    defineInternalRoute({
      method: 'PUT',
      path: '/internal/teams/:teamId/defaults',
      body: z.object({ teamName: requiredText('Team name') }),
      handle: async ({ params, body }) => ({
        body: { data: await directoryRequests.createDefaults(params['teamId'] ?? '', body.teamName) },
      }),
    }),
    defineInternalRoute({
      method: 'DELETE',
      path: '/internal/teams/:teamId/defaults',
      handle: async ({ params }) => {
        await directoryRequests.deleteDefaults(params['teamId'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
    defineInternalRoute({
      method: 'DELETE',
      path: '/internal/teams/:teamId',
      handle: async ({ params }) => {
        await directoryRequests.removeTeam(params['teamId'] ?? '');
        return { body: { result: 'Deleted' } };
      },
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/teams/:teamId/participations',
      handle: async ({ params }) => ({
        body: { data: await directoryRequests.participations(params['teamId'] ?? '') },
      }),
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/uses',
      query: z.object({ type: oneOf(['user', 'team']), id: requiredText('Id') }),
      handle: async ({ query }) => ({ body: { data: await directoryRequests.uses(query.type, query.id) } }),
    }),
  ];
}

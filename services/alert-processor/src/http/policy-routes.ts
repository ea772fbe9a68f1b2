import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { Policies } from '../application/policies.ts';

/** By which directory has the policies of a team that it deletes switched off (P18). */
export const disablePoliciesRoute = (policies: Policies): InternalRoute =>
  defineInternalRoute({
    method: 'DELETE',
    path: '/internal/teams/:teamId/policies',
    handle: async ({ params }) => ({
      body: { data: { disabled: await policies.disableOfTeam(params['teamId'] ?? '') } },
    }),
  });

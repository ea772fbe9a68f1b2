import { Integrations as IntegrationsTopic, type IntegrationState, type StateMessage } from '@tocsin/contracts';
import { defineInternalRoute, stateRoute, type InternalRoute } from '@tocsin/http';
import type { Integrations } from '../application/integrations.ts';
import { stateMessage } from '../domain/integration.ts';
import type { IntegrationStore } from '../ports/integration-store.ts';

/** What other services ask: the state of one integration, where its webhook leads, and to silence those of a team that is deleted (S12). */
export function internalRoutes(integrations: Integrations, store: IntegrationStore): readonly InternalRoute[] {
  return [
    stateRoute(IntegrationsTopic, (index, value) => lookUp(store, index, value)),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/webhooks/:integrationId',
      // An earlier release answers 404 to whatever it is asked here: that there is none is said in another way.
      handle: async ({ params }) => ({
        body: { data: (await integrations.webhook(params['integrationId'] ?? '')) ?? null },
      }),
    }),
    defineInternalRoute({
      method: 'DELETE',
      path: '/internal/teams/:teamId/integrations',
      handle: async ({ params }) => ({
        body: { data: { disabled: await integrations.disableOfTeam(params['teamId'] ?? '') } },
      }),
    }),
  ];
}

async function lookUp(
  store: IntegrationStore,
  index: string,
  value: string,
): Promise<StateMessage<IntegrationState> | undefined> {
  const found =
    index === 'keyHash' ? await store.findByKeyHash(value) : index === 'id' ? await store.find(value) : undefined;
  return found && stateMessage(found);
}

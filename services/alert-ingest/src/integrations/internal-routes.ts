import { Integrations as IntegrationsTopic } from '@tocsin/events';
import { defineInternalRoute, stateRoutes, type InternalRoute } from '@tocsin/http';
import type { Integrations } from './operations.ts';
import { stateMessage, type Integration } from './integration.ts';
import type { IntegrationStoreMethods } from './store.ts';

/**
 * The requests of other services: for the state of one integration, for the URL of its webhook, and to silence those of a deleted team
 * (S12).
 */
export function internalRoutes(integrations: Integrations, store: IntegrationStoreMethods): readonly InternalRoute[] {
  return [
    ...stateRoutes(IntegrationsTopic, async (index, values) => {
      const found = await Promise.all(values.map((value) => find(store, index, value)));
      return found.filter((integration) => integration !== undefined).map(stateMessage);
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/webhooks/:integrationId',
      // Null and not 404, which every unknown path answers: the notifier gives up what it sends to an integration that is gone.
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
    defineInternalRoute({
      method: 'DELETE',
      path: '/internal/deleted-teams/:teamId',
      handle: async ({ params }) => {
        await store.forgetDeletedTeam(params['teamId'] ?? '');
        return { body: {} };
      },
    }),
  ];
}

async function find(store: IntegrationStoreMethods, index: string, value: string): Promise<Integration | undefined> {
  if (index === 'keyHash') return store.findByKeyHash(value);
  return index === 'id' ? store.find(value) : undefined;
}

import { CreateIntegrationActionBody, IntegrationActionsBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { IntegrationActions } from '../application/integration-actions.ts';
import type { Integrations } from '../application/integrations.ts';
import { actionsView } from './action-views.ts';

/** `/v2/integrations/{integrationId}/actions` (part 1, 2.5 and 4.2; wire facts 5): every answer has all groups. */
export function actionRoutes(integrations: Integrations, actions: IntegrationActions): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-integration-actions',
      handle: async ({ params, principal }) => ({
        body: { data: actionsView(await integrations.get(integrationId(params), principal)) },
      }),
    }),
    defineRoute({
      operation: 'create-integration-action',
      body: CreateIntegrationActionBody,
      handle: async ({ params, body }) => ({
        status: 201,
        body: { data: actionsView(await actions.add(integrationId(params), body)) },
      }),
    }),
    defineRoute({
      operation: 'replace-integration-actions',
      body: IntegrationActionsBody,
      handle: async ({ params, body }) => ({
        body: { data: actionsView(await actions.replace(integrationId(params), body)) },
      }),
    }),
  ];
}

const integrationId = (params: Readonly<Record<string, string>>): string => params['integrationId'] ?? '';

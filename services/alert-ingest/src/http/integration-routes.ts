import {
  AuthenticateIntegrationBody,
  createIntegrationBody,
  integrationListQuery,
  type OperationId,
} from '@tocsin/contracts';
import { defineRoute, type Reply, type Route, type RouteInput } from '@tocsin/http';
import type { Integrations } from '../application/integrations.ts';
import type { Integration } from '../domain/integration.ts';
import { briefView, detailView } from './integration-views.ts';

/** `/v2/integrations/**` (part 1, 4.2); `extraTypes` are those of `EXTRA_INTEGRATION_TYPES` (P12). */
export function integrationRoutes(integrations: Integrations, extraTypes: readonly string[]): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-integration',
      body: createIntegrationBody(extraTypes),
      handle: async ({ body }) => {
        const { integration, apiKey } = await integrations.create(body);
        return { status: 201, body: { data: { ...briefView(integration), apiKey } } };
      },
    }),
    defineRoute({
      operation: 'list-integrations',
      query: integrationListQuery(extraTypes),
      handle: async ({ query, principal }) => ({
        body: { data: (await integrations.list(query, principal)).map(briefView) },
      }),
    }),
    defineRoute({
      operation: 'get-integration',
      handle: async ({ params, principal }) => ({
        body: { data: detailView(await integrations.get(integrationId(params), principal)) },
      }),
    }),
    defineRoute({
      operation: 'delete-integration',
      handle: async ({ params, principal }) => {
        await integrations.delete(integrationId(params), principal);
        return { body: { result: 'Deleted successful' } };
      },
    }),
    ...switchRoutes(ENABLE, (id, principal) => integrations.enable(id, principal)),
    ...switchRoutes(DISABLE, (id, principal) => integrations.disable(id, principal)),
    ...AUTHENTICATE.map((operation) =>
      defineRoute({
        operation,
        body: AuthenticateIntegrationBody,
        handle: ({ body, principal }) => {
          integrations.authenticate(body.type, principal);
          return Promise.resolve({ body: { result: `Integration of type [${body.type}] is valid.` } });
        },
      }),
    ),
  ];
}

// Clients differ in the method that they use for these (part 1, 4.2).
const ENABLE = ['enable-integration', 'enable-integration-by-put', 'enable-integration-by-patch'] as const;
const DISABLE = ['disable-integration', 'disable-integration-by-put', 'disable-integration-by-patch'] as const;
const AUTHENTICATE = [
  'authenticate-integration',
  'authenticate-integration-by-put',
  'authenticate-integration-by-patch',
] as const;

type Principal = RouteInput<unknown, unknown>['principal'];

function switchRoutes(
  operations: readonly OperationId[],
  turn: (id: string, principal: Principal) => Promise<Integration>,
): readonly Route[] {
  const handle = async ({ params, principal }: RouteInput<unknown, unknown>): Promise<Reply> => ({
    body: { data: briefView(await turn(integrationId(params), principal)) },
  });
  return operations.map((operation) => defineRoute({ operation, handle }));
}

const integrationId = (params: Readonly<Record<string, string>>): string => params['integrationId'] ?? '';

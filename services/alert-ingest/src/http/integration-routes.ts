import {
  AuthenticateIntegrationBody,
  formatInstant,
  integrationBody,
  integrationListQuery,
  type OperationId,
} from '@tocsin/contracts';
import { defineRoute, type Reply, type Route, type RouteInput } from '@tocsin/http';
import type { Integrations } from '../application/integrations.ts';
import type { Integration } from '../domain/integration.ts';
import { briefView, detailView, writtenView } from './integration-views.ts';

export interface IntegrationSettings {
  /** The types of `EXTRA_INTEGRATION_TYPES` (P12). */
  readonly extraTypes: readonly string[];
  /** The domain at which mail is taken (P10). */
  readonly emailDomain: string;
}

/** `/v2/integrations/**` but for actions (part 1, 4.2). */
export function integrationRoutes(integrations: Integrations, settings: IntegrationSettings): readonly Route[] {
  return [
    ...writeRoutes(integrations, settings),
    ...readRoutes(integrations, settings),
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

function readRoutes(integrations: Integrations, { extraTypes, emailDomain }: IntegrationSettings): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-integrations',
      query: integrationListQuery(extraTypes),
      handle: async ({ query, principal }) => ({
        body: { data: (await integrations.list(query, principal)).values().map(briefView) },
      }),
    }),
    defineRoute({
      operation: 'get-integration',
      handle: async ({ params, principal }) => ({
        body: { data: detailView(await integrations.get(integrationId(params), principal), emailDomain, principal) },
      }),
    }),
  ];
}

function writeRoutes(integrations: Integrations, { extraTypes, emailDomain }: IntegrationSettings): readonly Route[] {
  const body = integrationBody(extraTypes);
  return [
    defineRoute({
      operation: 'create-integration',
      body,
      handle: async (input) => {
        const { integration, apiKey } = await integrations.create(input.body);
        const key = apiKey === undefined ? {} : { apiKey };
        return { status: 201, body: { data: { ...writtenView(integration, emailDomain), ...key } } };
      },
    }),
    defineRoute({
      operation: 'update-integration',
      body,
      handle: async (input) => {
        const integration = await integrations.replace(integrationId(input.params), input.body, input.principal);
        return { body: { data: writtenView(integration, emailDomain) } };
      },
    }),
    defineRoute({
      operation: 'delete-integration',
      handle: async ({ params, principal }) => {
        await integrations.delete(integrationId(params), principal);
        return { body: { result: 'Deleted successful' } };
      },
    }),
    defineRoute({
      operation: 'rotate-integration-key',
      handle: async ({ params, principal }) => {
        const { integration, apiKey, replacedValidUntil } = await integrations.rotateKey(
          integrationId(params),
          principal,
        );
        const previousKeyValidUntil = formatInstant(replacedValidUntil);
        return { body: { data: { ...briefView(integration), apiKey, previousKeyValidUntil } } };
      },
    }),
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

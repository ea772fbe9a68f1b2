import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';

export type ListedIntegration = Answer<'list-integrations'>['data'][number];
export type Integration = Answer<'get-integration'>['data'];
export type LastTraffic = Answer<'list-integration-traffic'>['data'][number];
export type Traffic = Answer<'get-integration-traffic'>['data'];
export type Actions = Answer<'list-integration-actions'>['data'];

const ALL = '/v2/integrations';
export const integrationPath = (id: string): string => `${ALL}/${encodeURIComponent(id)}`;

const INTEGRATIONS = ['integrations'] as const;

/** All reads of integrations, which a write makes old. */
export const allIntegrations = { queryKey: INTEGRATIONS };

export const integrationsQuery = queryOptions({
  queryKey: [...INTEGRATIONS, 'list'],
  queryFn: async ({ signal }) => (await call<Answer<'list-integrations'>>({ path: ALL, signal })).data,
  ...liveOptions({ kinds: ['integrations'] }),
});

export const integrationQuery = (id: string) =>
  queryOptions({
    queryKey: [...INTEGRATIONS, 'one', id],
    queryFn: async ({ signal }) => (await call<Answer<'get-integration'>>({ path: integrationPath(id), signal })).data,
    ...liveOptions({ kinds: ['integrations'], id }),
  });

export const readActions = async (id: string, signal?: AbortSignal): Promise<Actions> =>
  (
    await call<Answer<'list-integration-actions'>>({
      path: `${integrationPath(id)}/actions`,
      ...(signal && { signal }),
    })
  ).data;

/** The actions of an integration, by group. */
export const actionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...INTEGRATIONS, 'actions', id],
    queryFn: ({ signal }) => readActions(id, signal),
    ...liveOptions({ kinds: ['integrations'], id }),
  });

/** The presets change with the version of Tocsin alone. */
export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: async ({ signal }) => (await call<Answer<'list-presets'>>({ path: `${ALL}/presets`, signal })).data,
  staleTime: Infinity,
});

/** No hint tells that requests came. */
const TRAFFIC_EVERY_MS = 30_000;

/** The last requests that came to an integration. */
export const receivedQuery = (id: string) =>
  queryOptions({
    queryKey: ['received-requests', id],
    queryFn: async ({ signal }) =>
      (await call<Answer<'list-integration-samples'>>({ path: `${integrationPath(id)}/samples`, signal })).data,
    refetchInterval: TRAFFIC_EVERY_MS,
  });

/** One of them, as it can be tried. */
export const readReceived = async (id: string, sampleId: string) =>
  (
    await call<Answer<'get-integration-sample'>>({
      path: `${integrationPath(id)}/samples/${encodeURIComponent(sampleId)}`,
    })
  ).data.request;

/** When each integration was last used. */
export const allTrafficQuery = queryOptions({
  queryKey: ['integration-traffic'],
  queryFn: async ({ signal }) =>
    (await call<Answer<'list-integration-traffic'>>({ path: `${ALL}/traffic`, signal })).data,
  refetchInterval: TRAFFIC_EVERY_MS,
});

/** How much an integration was used. */
export const trafficQuery = (id: string) =>
  queryOptions({
    queryKey: ['integration-traffic', id],
    queryFn: async ({ signal }) =>
      (await call<Answer<'get-integration-traffic'>>({ path: `${integrationPath(id)}/traffic`, signal })).data,
    refetchInterval: TRAFFIC_EVERY_MS,
  });

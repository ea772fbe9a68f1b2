import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';

export type ListedIntegration = Answer<'list-integrations'>['data'][number];
export type Integration = Answer<'get-integration'>['data'];
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

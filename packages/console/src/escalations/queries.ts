import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import type { EscalationBody } from './escalation-form.ts';

/** All escalations and teams, by name. */
export const escalationsQuery = queryOptions({
  queryKey: ['escalations'],
  queryFn: async ({ signal }) => {
    const { data } = await call<Answer<'list-escalations'>>({ path: '/v2/escalations', signal });
    return data.toSorted((one, other) => one.name.localeCompare(other.name));
  },
});

export const pathOf = (id: string): string => `/v2/escalations/${encodeURIComponent(id)}`;

export const readEscalation = async (id: string, signal?: AbortSignal): Promise<Answer<'get-escalation'>['data']> =>
  (await call<Answer<'get-escalation'>>({ path: pathOf(id), ...(signal && { signal }) })).data;

export const escalationQuery = (id: string) =>
  queryOptions({ queryKey: ['escalation', id], queryFn: ({ signal }) => readEscalation(id, signal) });

/** Whom an escalation would notify from now on, with the rules of its form. Nothing is written. */
export const previewQuery = (id: string, body: EscalationBody | undefined) =>
  queryOptions({
    queryKey: ['escalation', id, 'preview', body],
    queryFn: async ({ signal }) => {
      const alert = { message: 'An alert to this escalation', responders: [{ type: 'escalation', id }] };
      const escalation = { id, rules: body?.rules, repeat: body?.repeat };
      const path = '/v2/alerts/simulate';
      return (await call<Answer<'simulate-alert'>>({ method: 'POST', path, body: { ...alert, escalation }, signal }))
        .data;
    },
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import type { TriedAlert } from './alert-form.ts';

export type Simulation = Answer<'simulate-alert'>['data'];
export type Evaluation = Answer<'evaluate-policies'>['data'];

/** What would happen to an alert. */
export interface Trial {
  readonly evaluation: Evaluation;
  readonly simulation: Simulation;
}

/** What would happen to an alert. Nothing is written. An answer holds for its instant; another `asked` asks again. */
export const trialQuery = (alert: TriedAlert | undefined, asked: number | string) =>
  queryOptions({
    queryKey: ['trial', alert, asked],
    queryFn: async ({ signal }): Promise<Trial> => {
      const body = alert ?? {};
      const [evaluation, simulation] = await Promise.all([
        call<Answer<'evaluate-policies'>>({ method: 'POST', path: '/v2/policies/evaluate', body, signal }),
        call<Answer<'simulate-alert'>>({ method: 'POST', path: '/v2/alerts/simulate', body, signal }),
      ]);
      return { evaluation: evaluation.data, simulation: simulation.data };
    },
    enabled: alert !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

/** For how long integrations are not read again. */
const FRESH_MS = 60_000;

export const integrationsQuery = queryOptions({
  queryKey: ['integrations', 'names'],
  queryFn: async ({ signal }) => {
    const { data } = await call<Answer<'list-integrations'>>({ path: '/v2/integrations', signal });
    return data.map(({ id, name }) => ({ id, name })).toSorted((one, other) => one.name.localeCompare(other.name));
  },
  staleTime: FRESH_MS,
});

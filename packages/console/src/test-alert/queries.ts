import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';
import { testAlertSearch, type TestResponder } from './test-alert.ts';

/** A test alert, as far as the pages that send one show it. */
interface SentTestAlert {
  readonly id: string;
}

/** The newest test alert to a responder; undefined where none was sent. */
export async function readTestAlert(responder: TestResponder, signal: AbortSignal): Promise<SentTestAlert | undefined> {
  const query = { query: testAlertSearch(responder), limit: 1, sort: 'createdAt' };
  return (await call<Answer<'list-alerts'>>({ path: '/v2/alerts', query, signal })).data[0];
}

export const testAlertQuery = (responder: TestResponder) =>
  queryOptions({
    queryKey: ['test-alert', responder.id],
    queryFn: async ({ signal }) => (await readTestAlert(responder, signal)) ?? null,
    ...liveOptions({ kinds: ['alerts'] }),
  });

const LOG_EVERY_MS = 5_000;

/** The log of a test alert, newest first, kept up to date: it grows while messages are sent. */
export const testLogQuery = (alertId: string) =>
  queryOptions({
    queryKey: ['alert', alertId, 'test-log'],
    queryFn: async ({ signal }) =>
      (
        await call<Answer<'list-alert-logs'>>({
          path: `/v2/alerts/${alertId}/logs`,
          query: { order: 'desc' },
          signal,
        })
      ).data,
    ...liveOptions({ kinds: ['alerts'], id: alertId }),
    // An entry of the log alone has no hint.
    refetchInterval: LOG_EVERY_MS,
  });

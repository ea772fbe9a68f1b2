import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/server-clock.ts';
import { liveOptions } from '../live/live-queries.ts';
import { userFault } from './explanation.ts';
import { nextReadMs } from './countdown.ts';

/** Who was paged of an alert and why; with a user, why that one was or was not. It is read each time it is opened, and kept up to date. */
export const explanationQuery = (id: string, user?: string) =>
  queryOptions({
    queryKey: ['alert', id, 'explanation', user ?? ''],
    queryFn: ({ signal }) =>
      call<Answer<'explain-alert'>>({
        path: `/v2/alerts/${encodeURIComponent(id)}/explanation`,
        query: { user },
        signal,
      }),
    gcTime: 0,
    ...liveOptions({ kinds: ['alerts'], id }),
  });

/** The same for one user, once they are named. A name that the server refuses is not read again by itself. */
export const userExplanationQuery = (id: string, user: string | undefined) =>
  queryOptions({
    ...explanationQuery(id, user),
    enabled: ({ state }) => user !== undefined && userFault(state.error) === undefined,
  });

/** For how long the next page is the same for another part of the page. */
const NEXT_PAGE_FRESH_MS = 5_000;

/** When an alert next pages users, and whom. Each change of the alert is a read, and the answer before it stays until then. */
export const nextPageQuery = ({ id, updatedAt }: { readonly id: string; readonly updatedAt: string }) =>
  queryOptions({
    queryKey: ['alert', id, 'next-page', updatedAt],
    queryFn: ({ signal }) =>
      call<Answer<'get-next-page'>>({ path: `/v2/alerts/${encodeURIComponent(id)}/next-page`, signal }),
    staleTime: NEXT_PAGE_FRESH_MS,
    gcTime: NEXT_PAGE_FRESH_MS,
    refetchInterval: ({ state }) => nextReadMs(state.data?.data, state.dataUpdateCount, serverNow()),
    placeholderData: keepPreviousData,
  });

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { READ_AGAIN } from '../api/read-again.ts';
import { serverNow } from '../api/server-clock.ts';
import { liveOptions } from '../live/live-queries.ts';

type ListAnswer = Answer<'list-alerts'>;
/** The schema of a priority reads more than it writes. */
interface WithPriority {
  readonly priority: 'P1' | 'P2' | 'P3' | 'P4' | 'P5';
}
export type AlertItem = Omit<ListAnswer['data'][number], 'priority'> & WithPriority;
export type Alert = Omit<Answer<'get-alert'>['data'], 'priority'> & WithPriority;
export type LogEntry = Answer<'list-alert-logs'>['data'][number];
export type Note = Answer<'list-notes'>['data'][number];

/** An alert of a list. */
export interface ListedAlert extends AlertItem {
  /** When it was read, in milliseconds since 1970, where the page does not keep it up to date. */
  readonly readAt?: number;
}

/** The most alerts of one read. */
const PAGE_SIZE = 100;
/** The most pages of a list: a browser holds all of them. */
const MAX_PAGES = 200;

const readList = (query: string, signal: AbortSignal, limit = PAGE_SIZE) =>
  call<Omit<ListAnswer, 'data'> & { readonly data: readonly AlertItem[] }>({
    path: '/v2/alerts',
    query: { ...(query !== '' && { query }), limit, sort: 'createdAt', order: 'desc' },
    signal,
  });

type Place = Pick<AlertItem, 'createdAt' | 'tinyId'>;

/**
 * The search for the alerts of a search that follow one of them, newest first. Unlike an offset it is right while alerts come and leave.
 *
 * @param query - the search of the person
 * @param last - the alert, also one that has left the search; undefined for all
 */
export function searchAfter(query: string, last: Place | undefined): string {
  if (last === undefined) return query;
  const at = Date.parse(last.createdAt);
  const after = `createdAt<=${at} AND (createdAt<${at} OR tinyId<${last.tinyId})`;
  return query.trim() === '' ? after : `(${query}) AND ${after}`;
}

/** The newest alerts of a search, which the page keeps up to date. */
export const newestQuery = (query: string) =>
  queryOptions({
    queryKey: ['alerts', 'newest', query],
    queryFn: ({ signal }) => readList(query, signal),
    ...liveOptions({ kinds: ['alerts'] }),
  });

/** All alerts of a search, page by page, as they were when each page was read. */
export const allQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['alerts', 'all', query],
    queryFn: async ({ pageParam, signal }) => {
      const { data, paging } = await readList(searchAfter(query, pageParam), signal);
      const readAt = serverNow();
      return { data: data.map((alert): ListedAlert => ({ ...alert, readAt })), hasMore: paging.next !== undefined };
    },
    initialPageParam: undefined as Place | undefined,
    getNextPageParam: ({ data, hasMore }, pages) => (hasMore && pages.length < MAX_PAGES ? data.at(-1) : undefined),
    staleTime: Infinity,
    ...READ_AGAIN,
  });

/** How many similar alerts are read, with the alert itself. */
const MAX_SIMILAR = 6;

/** Some of the newest alerts of a search, which no page keeps up to date. */
export const similarQuery = (query: string) =>
  queryOptions({
    queryKey: ['alerts', 'similar', query],
    queryFn: ({ signal }) => readList(query, signal, MAX_SIMILAR),
    staleTime: 60_000,
    ...READ_AGAIN,
  });

/** How many alerts a search has. */
export const countQuery = (query: string) =>
  queryOptions({
    queryKey: ['alerts', 'count', query],
    queryFn: ({ signal }) =>
      call<Answer<'count-alerts'>>({ path: '/v2/alerts/count', query: query === '' ? {} : { query }, signal }),
    staleTime: 60_000,
    ...READ_AGAIN,
  });

export const alertQuery = (id: string) =>
  queryOptions({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => call<{ readonly data: Alert }>({ path: `/v2/alerts/${encodeURIComponent(id)}`, signal }),
    ...liveOptions({ kinds: ['alerts'], id }),
  });

/** How often the log is read again without a change of the alert: it also has what became of messages. */
const LOG_EVERY_MS = 15_000;

/** The same for log and notes: each change of the alert is a read, and the answer before it stays until then. */
const ofChange = { staleTime: LOG_EVERY_MS, gcTime: LOG_EVERY_MS, placeholderData: keepPreviousData } as const;

/** What changes with each change of an alert. */
const changeOf = ({ count, updatedAt }: Pick<Alert, 'count' | 'updatedAt'>) => `${updatedAt} ${count}`;

/** The newest entries of the log of an alert, newest first. */
export const logQuery = (alert: Pick<Alert, 'id' | 'count' | 'updatedAt'>) =>
  queryOptions({
    queryKey: ['alert', alert.id, 'log', changeOf(alert)],
    queryFn: ({ signal }) =>
      call<Answer<'list-alert-logs'>>({
        path: `/v2/alerts/${alert.id}/logs`,
        query: { limit: PAGE_SIZE, order: 'desc' },
        signal,
      }),
    ...ofChange,
    refetchInterval: LOG_EVERY_MS,
  });

/** The newest notes of an alert, newest first. */
export const notesQuery = (alert: Pick<Alert, 'id' | 'count' | 'updatedAt'>) =>
  queryOptions({
    queryKey: ['alert', alert.id, 'notes', changeOf(alert)],
    queryFn: ({ signal }) =>
      call<Answer<'list-notes'>>({
        path: `/v2/alerts/${alert.id}/notes`,
        query: { limit: PAGE_SIZE, order: 'desc' },
        signal,
      }),
    ...ofChange,
    // Without a change of the alert there are no other notes.
    refetchInterval: ({ state }) => (state.error === null ? false : LOG_EVERY_MS),
  });

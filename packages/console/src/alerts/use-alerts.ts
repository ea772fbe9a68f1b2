import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hidesData } from '../api/call-error.ts';
import { shownQuery } from './alert-state.ts';
import { allQuery, type AlertItem, countQuery, newestQuery } from './queries.ts';
import { hasSelected, heldRows, mergeAlerts, type Row } from './rows.ts';

export interface AlertRows {
  /** Undefined until the first answer, and where the server does not allow them any more. */
  readonly rows: readonly Row<AlertItem>[] | undefined;
  /** The alerts that came while the list was held. */
  readonly waiting: readonly AlertItem[];
  readonly total: number;
  readonly error: Error | null;
  readonly showWaiting: () => void;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

const NO_ALERTS: readonly AlertItem[] = [];

/** The alerts of a search. While the list is scrolled or has selected rows, its rows stay where they are, and new alerts wait. */
export function useAlerts(query: string, isScrolled: boolean, selected: ReadonlySet<string>): AlertRows {
  const { alerts, hasAnswer, ...search } = useLatest(query);
  const [held, setHeld] = useState<{ readonly query: string; readonly alerts: readonly AlertItem[] }>();
  const isHeldNow = held?.query === query;
  const { rows, waiting } = heldRows(isHeldNow ? held.alerts : alerts, alerts);
  const isHeld = hasAnswer && (isScrolled || hasSelected(rows, selected));
  if (isHeld !== isHeldNow) setHeld(isHeld ? { query, alerts } : undefined);
  return {
    ...search,
    rows: hasAnswer && !hidesData(search.error) ? rows : undefined,
    waiting,
    total: Math.max(search.total, rows.length),
    showWaiting: () => {
      setHeld({ query, alerts });
    },
  };
}

/** What the server has of a search, as far as it was read. A search with a mistake in it leaves the one before it in place. */
function useLatest(query: string) {
  const asked = useQuery(newestQuery(query));
  const [answered, setAnswered] = useState(query);
  if (asked.data !== undefined && answered !== query) setAnswered(query);
  const shown = shownQuery(query, asked.error, answered);
  const newest = useQuery(newestQuery(shown));
  const hasMore = newest.data?.paging.next !== undefined;
  const all = useInfiniteQuery({ ...allQuery(shown), enabled: hasMore });
  const count = useQuery({ ...countQuery(shown), enabled: hasMore });
  const earlier = all.data?.pages.flatMap(({ data }) => data) ?? NO_ALERTS;
  return {
    hasAnswer: newest.data !== undefined,
    alerts: newest.data === undefined ? NO_ALERTS : mergeAlerts(newest.data.data, earlier, hasMore),
    total: count.data?.data.count ?? 0,
    error: asked.error,
    loadMore: () => {
      if (all.hasNextPage && !all.isFetching) void all.fetchNextPage();
    },
    retry: () => void asked.refetch(),
  };
}

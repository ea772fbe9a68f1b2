import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hidesData } from '../api/call-error.ts';
import { shownQuery } from './alert-state.ts';
import { allQuery, countQuery, type ListedAlert, newestQuery } from './queries.ts';
import { hasSelected, heldRows, hasGap, mergeAlerts, type Row } from './rows.ts';

export interface AlertRows {
  /** Undefined until the first answer, and where the server does not allow them any more. */
  readonly rows: readonly Row<ListedAlert>[] | undefined;
  /** The alerts that came while the list was held. */
  readonly waiting: readonly ListedAlert[];
  readonly total: number;
  readonly error: Error | null;
  /** Why the list ends before its end. */
  readonly restError: Error | null;
  readonly showWaiting: () => void;
  readonly loadMore: () => void;
  readonly retry: () => void;
  readonly retryRest: () => void;
}

/** So often the rest of a list is read again without a word. */
const SILENT_FAILURES = 2;

const NO_ALERTS: readonly ListedAlert[] = [];

/** The alerts of a search. While the list is scrolled or has selected rows, its rows stay where they are, and new alerts wait. */
export function useAlerts(query: string, isScrolled: boolean, selected: ReadonlySet<string>): AlertRows {
  const { alerts, hasAnswer, ...search } = useLatest(query);
  const [held, setHeld] = useState<{ readonly query: string; readonly alerts: readonly ListedAlert[] }>();
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
  const { data: alerts = NO_ALERTS, paging } = newest.data ?? {};
  const hasMore = paging?.next !== undefined;
  const count = useQuery({ ...countQuery(shown), enabled: hasMore });
  const { earlier, ...rest } = useRest(shown, alerts, hasMore);
  return {
    ...rest,
    hasAnswer: newest.data !== undefined,
    alerts: mergeAlerts(alerts, earlier, hasMore),
    total: count.data?.data.count ?? 0,
    error: asked.error,
    retry: () => void asked.refetch(),
  };
}

/** The alerts of a search that were read page by page, where it has more than the newest. */
function useRest(query: string, newest: readonly ListedAlert[], hasMore: boolean) {
  const all = useInfiniteQuery({ ...allQuery(query), enabled: hasMore });
  const { data, fetchNextPage, hasNextPage, isError, isFetching, refetch } = all;
  const earlier = data?.pages.flatMap((page) => page.data) ?? NO_ALERTS;
  const isToRead = hasGap(newest, earlier, hasMore) && !isFetching && !isError;
  useEffect(() => {
    if (isToRead) void refetch();
  }, [isToRead, refetch]);
  const reason = all.failureCount > SILENT_FAILURES ? all.failureReason : all.error;
  return {
    earlier,
    restError: hasMore ? reason : null,
    loadMore: () => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
    retryRest: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}

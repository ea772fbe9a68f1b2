import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Marks a query whose answer the page keeps up to date. */
export const LIVE = { live: true } as const;

const POLL_MS = 5_000;

/** Of the live queries that a page shows, the one that was read the longest time ago. Undefined where there is none. */
export function nextToRead<T extends Pick<Query, 'meta' | 'state' | 'isActive'>>(queries: readonly T[]): T | undefined {
  const readAt = ({ state }: T) => Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
  return queries
    .filter((query) => query.meta?.['live'] === true && query.isActive() && query.state.fetchStatus === 'idle')
    .reduce<T | undefined>(
      (oldest, query) => (oldest === undefined || readAt(query) < readAt(oldest) ? query : oldest),
      undefined,
    );
}

/** Keeps the live queries of the page up to date while it is visible: one of them is read each 5 s. */
export function useChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const read = () => {
      const query = document.visibilityState === 'visible' ? nextToRead(client.getQueryCache().getAll()) : undefined;
      if (query !== undefined) void client.refetchQueries({ queryKey: query.queryKey, exact: true });
      timer = setTimeout(read, POLL_MS);
    };
    timer = setTimeout(read, POLL_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [client]);
}

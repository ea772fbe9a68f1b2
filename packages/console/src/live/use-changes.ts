import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '../api/call-error.ts';
import { endedStore } from '../session/session.ts';

/** Marks a query whose answer the page keeps up to date. A page has one, so that each is read as often. */
export const LIVE = { live: true } as const;

const POLL_MS = 5_000;

/** Whether the page shows the query and keeps it up to date. */
export const isLive = (query: Pick<Query, 'meta' | 'isActive'>): boolean =>
  query.meta?.['live'] === LIVE.live && query.isActive();

type LiveQuery = Pick<Query, 'queryHash' | 'meta' | 'isActive'> & {
  readonly state: Pick<Query['state'], 'error' | 'fetchStatus'>;
};

/** The live queries to read now: those that are not being read, and that the server does not refuse for what they ask. */
export const queriesToRead = <T extends LiveQuery>(queries: readonly T[]): readonly T[] =>
  queries.filter((query) => {
    const { error, fetchStatus } = query.state;
    const isInvalid = error instanceof CallError && error.failure === 'invalid';
    return isLive(query) && fetchStatus === 'idle' && !isInvalid;
  });

/** For how long the answers to live queries ask the page not to read again. */
export function pauseMs(queries: readonly LiveQuery[]): number {
  const seconds = queries
    .filter(isLive)
    .map(({ state }) => (state.error instanceof CallError ? state.error.retryAfterSeconds : undefined));
  return Math.max(...seconds.map((each = 0) => each * 1_000), 0);
}

/** Reads the live queries of the page again each 5 s, while it is visible and the session goes on. */
export function useChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    let notBefore = 0;
    const read = async () => {
      const cache = client.getQueryCache();
      if (document.visibilityState !== 'visible' || endedStore.get() || performance.now() < notBefore) return;
      const reads = queriesToRead(cache.getAll()).map(({ queryKey }) =>
        client.refetchQueries({ queryKey, exact: true }),
      );
      if (reads.length === 0) return;
      await Promise.all(reads);
      notBefore = performance.now() + pauseMs(cache.getAll());
    };
    let timer: ReturnType<typeof setTimeout>;
    // The next read begins 5 s after this one began, or the end of a slow one would make the data look old.
    const readOn = () => {
      timer = setTimeout(readOn, POLL_MS);
      void read();
    };
    timer = setTimeout(readOn, POLL_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [client]);
}

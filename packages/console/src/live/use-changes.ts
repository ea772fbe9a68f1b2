import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '../api/call-error.ts';

/** Marks a query whose answer the page keeps up to date. */
export const LIVE = { live: true } as const;

const POLL_MS = 5_000;

type LiveQuery = Pick<Query, 'queryHash' | 'meta' | 'isActive'> & {
  readonly state: Pick<Query['state'], 'error' | 'fetchStatus'>;
};

/** Whether the server refuses the query for what it asks, so that it refuses it again. */
const isInvalid = ({ state }: Pick<LiveQuery, 'state'>) =>
  state.error instanceof CallError && state.error.failure === 'invalid';

/** Chooses among the live queries that a page shows, each as often as the others, whatever the clock of the device says. */
export class ReadOrder {
  #reads = 0;
  readonly #lastRead = new Map<string, number>();

  /** The one that was chosen the longest time ago. Undefined where the page shows none that is not being read. */
  next<T extends LiveQuery>(queries: readonly T[]): T | undefined {
    const lastRead = ({ queryHash }: T) => this.#lastRead.get(queryHash) ?? 0;
    const [first, ...others] = queries.filter(
      (query) =>
        query.meta?.['live'] === true && query.isActive() && query.state.fetchStatus === 'idle' && !isInvalid(query),
    );
    if (first === undefined) return undefined;
    const chosen = others.reduce((oldest, query) => (lastRead(query) < lastRead(oldest) ? query : oldest), first);
    this.#lastRead.set(chosen.queryHash, (this.#reads += 1));
    return chosen;
  }
}

/** Keeps the live queries of the page up to date while it is visible: one of them is read each 5 s. */
export function useChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const order = new ReadOrder();
    let timer: ReturnType<typeof setTimeout>;
    const read = () => {
      const query = document.visibilityState === 'visible' ? order.next(client.getQueryCache().getAll()) : undefined;
      if (query !== undefined) void client.refetchQueries({ queryKey: query.queryKey, exact: true });
      timer = setTimeout(read, POLL_MS);
    };
    timer = setTimeout(read, POLL_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [client]);
}

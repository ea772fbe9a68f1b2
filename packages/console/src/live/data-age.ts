import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { hidesData } from '../api/call-error.ts';
import { useNow } from '../ui/use-now.ts';
import { isLive } from './use-changes.ts';

/** How old data may be that a page keeps up to date. Longer than two reads are apart. */
const FRESH_FOR_MS = 12_000;

type ReadQuery = Pick<Query, 'meta' | 'isActive'> & {
  readonly state: Pick<Query['state'], 'dataUpdatedAt' | 'error'>;
};

/**
 * How old the data is that the page shows and keeps up to date, in milliseconds, whatever the reason. Undefined while all of it is fresh,
 * and where nothing was read yet: then the page itself says so.
 */
export function staleAgeMs(queries: readonly ReadQuery[], now: number): number | undefined {
  const readAt = queries
    .filter((query) => isLive(query) && !hidesData(query.state.error))
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0);
  const age = now - Math.min(...readAt);
  return age > FRESH_FOR_MS ? age : undefined;
}

/** {@link staleAgeMs} of this page, which moves on every second, and with the begin and the end of each read. */
export function useStaleAgeMs(): number | undefined {
  const now = useNow(1_000);
  useIsFetching();
  return staleAgeMs(useQueryClient().getQueryCache().getAll(), now);
}

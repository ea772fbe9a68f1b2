import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { hidesData } from '../api/call-error.ts';
import { useStore } from '../shell/store.ts';
import { useDeviceNow } from '../ui/use-now.ts';
import { streamingStore } from './change-reader.ts';
import { isLive } from './live-queries.ts';

/** How old data may be that a page keeps up to date: more than two reads are apart. */
const FRESH_FOR_MS = { polling: 12_000, streaming: 32_000 };

type ReadQuery = Pick<Query, 'meta' | 'isActive'> & {
  readonly state: Pick<Query['state'], 'dataUpdatedAt' | 'error'>;
};

/**
 * How old the data is that the page shows and keeps up to date, in milliseconds, whatever the reason. Undefined while all of it is fresh,
 * and where nothing was read yet: then the page itself says so.
 *
 * @param queries - of the page
 * @param now - in milliseconds since 1970, as their times are
 * @param isStreaming - whether hints say what changes; data whose last read failed has to be read again all the same
 */
export function staleAgeMs(queries: readonly ReadQuery[], now: number, isStreaming: boolean): number | undefined {
  const ages = queries
    .filter((query) => isLive(query) && !hidesData(query.state.error) && query.state.dataUpdatedAt > 0)
    .map(({ state: { dataUpdatedAt, error } }) => ({
      age: now - dataUpdatedAt,
      limit: FRESH_FOR_MS[isStreaming && error === null ? 'streaming' : 'polling'],
    }))
    .filter(({ age, limit }) => age > limit)
    .map(({ age }) => age);
  return ages.length === 0 ? undefined : Math.max(...ages);
}

/** {@link staleAgeMs} of this page, which moves on every second, and with the begin and the end of each read. */
export function useStaleAgeMs(): number | undefined {
  const now = useDeviceNow(1_000);
  const isStreaming = useStore(streamingStore);
  useIsFetching();
  return staleAgeMs(useQueryClient().getQueryCache().getAll(), now, isStreaming);
}

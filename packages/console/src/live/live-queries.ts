import type { Query } from '@tanstack/react-query';
import type { ChangedKind, Changes } from '@tocsin/api';
import { CallError } from '../api/call-error.ts';

/** What a query has data of. A hint about it leads to a read. */
export interface Followed {
  readonly kinds: readonly ChangedKind[];
  /** The one entity; undefined where it is all of these kinds. */
  readonly id?: string;
}

declare module '@tanstack/react-query' {
  interface Register {
    readonly queryMeta: {
      /** Whether the page keeps the answer up to date, and says how old it is. */
      readonly isLive?: boolean;
      readonly follows?: Followed;
    };
  }
}

/** Options of a query whose answer the page keeps up to date. The page itself decides when to read it again. */
export const liveOptions = (follows: Followed) =>
  ({ meta: { isLive: true, follows }, retry: false, refetchOnWindowFocus: false }) as const;

type ShownQuery = Pick<Query, 'meta' | 'isActive'>;

/** Whether the page shows the query and keeps it up to date. */
export const isLive = (query: ShownQuery): boolean => query.meta?.isLive === true && query.isActive();

/** Whether the page shows data of what was changed. */
export function isNamed(query: ShownQuery, changes: Changes): boolean {
  const follows = query.meta?.follows;
  if (follows === undefined || !query.isActive()) return false;
  return follows.kinds.some((kind) => {
    const hints = changes[kind];
    if (hints === undefined || hints === 'many') return hints !== undefined;
    return follows.id === undefined || hints.some(({ id }) => id === follows.id);
  });
}

type ReadQuery = ShownQuery & { readonly state: Pick<Query['state'], 'error' | 'fetchStatus'> };

/** Whether a query can be read now: it is not being read, and the server does not refuse it for what it asks. */
export function canRead({ state }: Pick<ReadQuery, 'state'>): boolean {
  const isInvalid = state.error instanceof CallError && state.error.failure === 'invalid';
  return state.fetchStatus === 'idle' && !isInvalid;
}

/** For how long the answers to live queries ask the page not to read again. */
export function pauseMs(queries: readonly ReadQuery[]): number {
  const seconds = queries
    .filter(isLive)
    .map(({ state }) => (state.error instanceof CallError ? state.error.retryAfterSeconds : undefined));
  return Math.max(...seconds.map((each = 0) => each * 1_000), 0);
}

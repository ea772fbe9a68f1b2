import { Admission } from '@tocsin/http';

/** Searches under way at a time, in all and of one key (F1). Two keys that take all they can leave one to a third and a fourth. */
const SEARCHES = { inAll: 6, each: 3 };
/** Connections for searches, beside those that settle alerts (A11): a list may read alerts and count them at a time. */
export const SEARCH_CONNECTIONS = 2 * SEARCHES.inAll;
/** How long a search waits, which is longer than another one takes at most. Then it is refused. */
export const SEARCH_WAIT_MS = 1_500;

/** Pools of the expensive requests, each with a share for each key (F1). */
export interface Pools {
  readonly searches: Admission;
  readonly evaluations: Admission;
}

export const newPools = (): Pools => ({
  searches: new Admission({ atOnce: SEARCHES, waiting: { inAll: 128, each: 96 }, waitMs: SEARCH_WAIT_MS }),
  // An evaluation may use two budgets of patterns (P3), and alerts must not wait for many evaluations of a key.
  evaluations: new Admission({
    atOnce: { inAll: 4, each: 1 },
    waiting: { inAll: 64, each: 48 },
    waitMs: SEARCH_WAIT_MS,
  }),
});

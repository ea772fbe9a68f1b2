import { Admission } from '@tocsin/http';

/** Connections for searches that look at many alerts, beside those that settle them (A11). */
export const SEARCH_CONNECTIONS = 4;
/** A search that finds no connection within this time is refused. */
export const SEARCH_WAIT_MS = 1_500;

/** Requests that cost more than others, and of how many one key leaves room to others (F1). */
export interface Pools {
  readonly searches: Admission;
  readonly evaluations: Admission;
}

export const newPools = (): Pools => ({
  // Most searches are answered in milliseconds, and those that look at few alerts need none of the connections.
  searches: new Admission({
    atOnce: { inAll: 8 * SEARCH_CONNECTIONS, each: SEARCH_CONNECTIONS - 1 },
    waiting: { inAll: 128, each: 96 },
    waitMs: SEARCH_WAIT_MS,
  }),
  // An evaluation may spend two budgets of patterns (P3). Those that settle alerts are not to wait for many of them.
  evaluations: new Admission({
    atOnce: { inAll: 2, each: 1 },
    waiting: { inAll: 64, each: 48 },
    waitMs: SEARCH_WAIT_MS,
  }),
});

import { Admission } from '@tocsin/http';

/** Connections for searches that look at many alerts, beside those that settle them (A11). */
export const SEARCH_CONNECTIONS = 4;
/** A search that finds no connection within this time is refused. */
export const SEARCH_WAIT_MS = 1_500;

/** Pools of the expensive requests, each with a share for each key (F1). */
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
  // An evaluation may use two budgets of patterns (P3), and alerts must not wait for many evaluations.
  evaluations: new Admission({
    atOnce: { inAll: 2, each: 1 },
    waiting: { inAll: 64, each: 48 },
    waitMs: SEARCH_WAIT_MS,
  }),
});

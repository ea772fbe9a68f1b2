const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/**
 * How long to wait after the `attempt`-th failure in a row (1 or more), in milliseconds. It doubles from 100 ms to 5 s. `jitter`
 * (0 inclusive to 1 exclusive) takes away up to half of it, so that many callers do not return at once.
 */
export function backOffMs(attempt: number, jitter = Math.random()): number {
  const wholeMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30));
  return wholeMs * (1 - jitter / 2);
}

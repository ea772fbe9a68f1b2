const FIRST_MS = 100;
const MAX_MS = 1_000;

/**
 * How long to wait after the `attempt`-th failure in a row (1 or more), in milliseconds. It doubles from 100 ms to `maxMs`. `jitter`
 * (0 inclusive to 1 exclusive) takes away up to half of it, so that many callers do not return at once.
 *
 * `maxMs` is 1 s by default, so that what waited for MongoDB or Kafka goes on within a second of their return.
 */
export function backOffMs(attempt: number, { jitter = Math.random(), maxMs = MAX_MS } = {}): number {
  const wholeMs = Math.min(maxMs, FIRST_MS * 2 ** Math.min(attempt - 1, 30));
  return wholeMs * (1 - jitter / 2);
}

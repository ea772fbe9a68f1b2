/**
 * How long to wait before the `attempt`-th try (1 or more), in milliseconds: it doubles from `firstMs` up to `longestMs`.
 * `chance` (0 inclusive to 1 exclusive) takes away up to half of it, so that many callers do not return at once.
 */
export function backOffMs(attempt: number, chance: number, firstMs = 100, longestMs = 5_000): number {
  const wholeMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return wholeMs * (1 - chance / 2);
}

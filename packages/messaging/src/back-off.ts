/**
 * How long to wait before the `attempt`-th try (1 or more), in milliseconds: doubling from `firstMs` up to `longestMs`, of
 * which `chance` (0 inclusive to 1 exclusive) takes up to a half away, so that many do not return at once.
 */
export function backOffMs(attempt: number, chance: number, firstMs = 100, longestMs = 5_000): number {
  const wholeMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return wholeMs * (1 - chance / 2);
}

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves with what `check` gives once it no longer throws; asks again every few milliseconds of real time.
 *
 * @throws what `check` threw last, when `timeoutMs` passes first: 120 s by default, as a loaded machine is slow, and a test that
 *   passes does not wait for it.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 120_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await pause(everyMs);
  }
}

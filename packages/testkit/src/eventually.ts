import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `check` every few milliseconds of real time until it does not throw, and resolves with its result.
 *
 * @throws the last error of `check` after `timeoutMs`: 120 s by default, because a loaded machine is slow, and a test that passes
 *   does not wait for it.
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

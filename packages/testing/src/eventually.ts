import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves with what `check` gives once it no longer throws; asks again every few milliseconds of real time.
 *
 * @throws what `check` threw last, when `timeoutMs` passes first: 30 s unless given, because nobody waits for longer than it
 *   takes, and machines that test much are slow.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 30_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
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

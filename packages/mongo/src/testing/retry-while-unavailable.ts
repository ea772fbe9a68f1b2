import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@tocsin/core';

const RETRY_FOR_MS = 120_000;
const RETRY_AFTER_MS = 20;

/** Retries a write that is refused because too many writes wait, for 2 minutes at most. A loaded machine refuses some. */
export async function retryWhileUnavailable<T>(write: () => Promise<T>): Promise<T> {
  const untilMs = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() > untilMs) throw error;
    }
    await pause(RETRY_AFTER_MS);
  }
}

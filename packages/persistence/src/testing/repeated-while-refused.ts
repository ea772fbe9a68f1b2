import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@tocsin/errors';

/** Repeats a write that is refused because too many wait, as callers do. A loaded machine refuses some. */
export async function repeatedWhileRefused<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
    await pause(20);
  }
}

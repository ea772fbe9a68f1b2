import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { Connection } from 'mongoose';
import { Timers } from './timers.ts';

/** Takes each write, and keeps nothing. */
const connection = {
  db: { collection: () => ({ bulkWrite: () => Promise.resolve() }) },
} as unknown as Connection;

describe('timers', () => {
  it('are set at once however many one transaction has: a batch of large runs has more than a call takes arguments', async () => {
    const dueAt = new Date('2026-01-01T00:00:00Z');
    const timers = new Timers({
      connection,
      collection: 'timers',
      clock: new ManualClock(dueAt),
      fire: () => Promise.resolve(),
      logger: { error: () => undefined },
    });
    const rows = Array.from({ length: 300_000 }, (_, id) => ({ id: String(id), dueAt, fence: 1, payload: {} }));
    await expect(timers.schedule(undefined, rows)).resolves.toBeUndefined();
  });
});

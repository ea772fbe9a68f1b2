import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { NextLook } from './next-look.ts';

/** So long that no test lasts until then. */
const HOUR_MS = 3_600_000;
const forever = new AbortController().signal;

/** Does not wait where two looks are kept apart. `waits` resolves where the time of a look is waited for. */
function pausing() {
  const waits = Promise.withResolvers<undefined>();
  const pauses: number[] = [];
  const next = new NextLook((ms, signal) => {
    pauses.push(ms);
    if (ms === 1_000) return Promise.resolve();
    waits.resolve(undefined);
    return sleep(ms, undefined, { signal, ref: false });
  });
  return { next, pauses, waits: waits.promise };
}

describe('the next look', () => {
  it('is due once for any number of requests during the look before', async () => {
    const { next, pauses, waits } = pausing();
    for (let each = 0; each < 1_000; each += 1) next.request();
    await next.isDue(HOUR_MS, forever);
    expect(pauses).toEqual([1_000]);
    const second = next.isDue(HOUR_MS, forever);
    await waits;
    next.request();
    await second;
    expect(pauses).toEqual([1_000, 1_000, HOUR_MS - 1_000]);
  });

  it('is due once for any number of requests while it is waited for', async () => {
    const { next, waits } = pausing();
    const due = next.isDue(HOUR_MS, forever);
    await waits;
    for (let each = 0; each < 1_000; each += 1) next.request();
    await due;
    const interrupt = new AbortController();
    const second = next.isDue(HOUR_MS, interrupt.signal);
    interrupt.abort();
    await expect(second).rejects.toThrow();
  });

  it('is due at the end of the time without a request', async () => {
    const pauses: number[] = [];
    await new NextLook((ms) => Promise.resolve(pauses.push(ms))).isDue(15_000, forever);
    expect(pauses).toEqual([1_000, 14_000]);
  });

  it('is not waited for after an interruption', async () => {
    const { next, waits } = pausing();
    const interrupt = new AbortController();
    const due = next.isDue(HOUR_MS, interrupt.signal);
    await waits;
    interrupt.abort();
    await expect(due).rejects.toThrow();
  });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { settledStatus, writeAlert } from './alert-write.ts';

const DONE = {
  success: true,
  isSuccess: true,
  action: 'Acknowledge',
  status: 'Alert acknowledged',
} as unknown as Awaited<ReturnType<Parameters<typeof settledStatus>[0]>>;
const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({ status, message: 'No.', retryAfterSeconds });

/** Reads the status; each read takes `readMs`, and ends with the next of `results`, the last of them again and again. */
function settle(results: readonly (CallError | typeof DONE)[], readMs = 0) {
  let now = 0;
  const waits: number[] = [];
  const timesLeft: number[] = [];
  const read = (timeLeftMs: number) => {
    const result = results[timesLeft.length] ?? results.at(-1) ?? DONE;
    timesLeft.push(timeLeftMs);
    now += Math.min(readMs, timeLeftMs);
    return result instanceof CallError ? Promise.reject(result) : Promise.resolve(result);
  };
  const wait = (ms: number) => {
    waits.push(ms);
    now += ms;
    return Promise.resolve();
  };
  return { timesLeft, waits, status: settledStatus(read, { now: () => now, wait }) };
}

describe('an accepted write', () => {
  test.each([0, 404, 429, 500, 502, 503, 504])(
    'A read of its status that ends with %p does not say that it failed: the status is read again.',
    async (status) => {
      const { timesLeft, status: settled } = settle([refused(status), DONE]);

      expect(await settled).toBe(DONE);
      expect(timesLeft).toHaveLength(2);
    },
  );

  test('The next read comes after the wait that the answer names, and never at once.', async () => {
    const { status, waits } = settle([refused(429, 3), refused(404), refused(503, 0), DONE]);

    await status;

    expect(waits).toEqual([3_000, 250, 250]);
  });

  test('Each read may take the time that is left, and after 20 s the result is not known.', async () => {
    const { status, timesLeft } = settle([refused(0)], 8_000);

    expect(await status).toBeUndefined();
    expect(timesLeft).toEqual([20_000, 11_750, 3_500]);
  });

  test('A long wait that an answer names ends with the time that is left.', async () => {
    const { status, waits } = settle([refused(429, 3_600)]);

    expect(await status).toBeUndefined();
    expect(waits).toEqual([20_000]);
  });

  test('The end of the session ends the wait.', async () => {
    await expect(settle([refused(401), DONE]).status).rejects.toMatchObject({ failure: 'ended' });
  });
});

describe('a write whose answer is lost', () => {
  const originalFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = originalFetch;
  });

  test.each([
    ['escalate', true],
    ['notes', true],
    ['acknowledge', false],
    ['assign', false],
    ['snooze', false],
  ] as const)('That it would be done twice if it were sent again: for %s %p.', async (action, mayBeAccepted) => {
    globalThis.fetch = () => Promise.reject(new TypeError('network error'));

    await expect(writeAlert({ id: 'alert-1', action })).rejects.toMatchObject({ failure: 'offline', mayBeAccepted });
  });
});

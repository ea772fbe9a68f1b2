import { describe, expect, test } from '@jest/globals';
import { CallError } from './call-error.ts';
import { READ_AGAIN } from './read-again.ts';

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({ status, message: `Refused with ${status}.`, retryAfterSeconds });

describe('a read that no timer repeats', () => {
  test('It is tried again after each failure that can pass, however often it failed.', () => {
    const again = [0, 401, 403, 404, 422, 429, 500, 503].filter((status) => READ_AGAIN.retry(1_000, refused(status)));

    expect(again).toEqual([0, 429, 500, 503]);
    expect(READ_AGAIN.retry(0, new TypeError('x is undefined'))).toBe(false);
  });

  test('It waits twice as long each time, at most 30 s, and at least as long as the answer asks for.', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 1_000].map((failures) => READ_AGAIN.retryDelay(failures, refused(503)));

    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect([READ_AGAIN.retryDelay(0, refused(429, 7)), READ_AGAIN.retryDelay(9, refused(429, 7))]).toEqual([
      7_000, 30_000,
    ]);
    expect(READ_AGAIN.retryDelay(0, refused(429, 60))).toBe(60_000);
  });
});

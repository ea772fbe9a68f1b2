import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs } from './back-off.ts';

describe('backOffMs', () => {
  it('is a second at most, so that what waited for an engine goes on within a second of its return', () => {
    expect([1, 2, 3, 4, 5, 1_000].map((attempt) => backOffMs(attempt, { jitter: 0 }))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });

  it('doubles up to the time that is given, and jitter takes at most half of it away', () => {
    expect([6, 7, 1_000].map((attempt) => backOffMs(attempt, { jitter: 0, maxMs: 5_000 }))).toEqual([
      3_200, 5_000, 5_000,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, jitter) => {
          const whole = backOffMs(attempt, { jitter: 0 });
          expect(backOffMs(attempt, { jitter })).toBeLessThanOrEqual(whole);
          expect(backOffMs(attempt, { jitter })).toBeGreaterThan(whole / 2);
        },
      ),
    );
  });
});

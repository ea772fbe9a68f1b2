import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs } from './back-off.ts';

describe('backOffMs', () => {
  it('doubles from 100 ms to 5 s, and jitter takes at most half of it away', () => {
    expect([1, 2, 3, 6, 7, 1_000].map((attempt) => backOffMs(attempt, 0))).toEqual([
      100, 200, 400, 3_200, 5_000, 5_000,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, jitter) => {
          const whole = backOffMs(attempt, 0);
          expect(backOffMs(attempt, jitter)).toBeLessThanOrEqual(whole);
          expect(backOffMs(attempt, jitter)).toBeGreaterThan(whole / 2);
        },
      ),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs } from './back-off.ts';

describe('backOffMs', () => {
  it('doubles up to 5 s, and chance takes at most a half away', () => {
    expect([1, 2, 3, 6, 7, 1_000].map((attempt) => backOffMs(attempt, 0))).toEqual([
      100, 200, 400, 3_200, 5_000, 5_000,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, chance) => {
          const whole = backOffMs(attempt, 0);
          expect(backOffMs(attempt, chance)).toBeLessThanOrEqual(whole);
          expect(backOffMs(attempt, chance)).toBeGreaterThan(whole / 2);
        },
      ),
    );
  });
});

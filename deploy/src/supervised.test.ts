import { describe, expect, test } from '@jest/globals';
import { pauseBefore } from './supervised.ts';

describe('pauseBefore', () => {
  test('doubles with each end in a row, up to the longest', () => {
    const patience = { firstPauseMs: 500, longestPauseMs: 3_000, steadyAfterMs: 30_000, endsBeforeReady: 3 };

    expect([1, 2, 3, 4, 5].map((ends) => pauseBefore(ends, patience))).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
  });
});

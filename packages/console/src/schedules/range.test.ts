import { describe, expect, test } from '@jest/globals';
import { moved, RANGES, rangeOf } from './range.ts';

describe('the range of an address', () => {
  test('It is the one of the key, and two weeks where there is none.', () => {
    for (const range of RANGES) expect(rangeOf(range.key)).toEqual(range);
    expect([rangeOf(undefined).key, rangeOf('a year').key]).toEqual(['2w', '2w']);
  });
});

describe('the range before and after', () => {
  test.each([
    ['1d', '2026-03-29', '2026-03-30', '2026-03-28'],
    ['1w', '2026-03-29', '2026-04-05', '2026-03-22'],
    ['2w', '2026-12-25', '2027-01-08', '2026-12-11'],
    ['1m', '2026-01-31', '2026-02-28', '2025-12-31'],
    ['3m', '2028-11-30', '2029-02-28', '2028-08-30'],
  ])('Of %s from %s on they begin on %s and %s.', (key, date, later, earlier) => {
    expect([moved(date, rangeOf(key), 1), moved(date, rangeOf(key), -1)]).toEqual([later, earlier]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { firstTen } from './first-ten.ts';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the first ten', () => {
  it('are all where there are no more', () => {
    expect(firstTen(upTo(10), String)).toEqual(upTo(10).map(String));
    expect(firstTen([], String)).toEqual([]);
  });

  it('say how many follow, and tell of none of those', () => {
    const told: number[] = [];
    const tell = (item: number): string => {
      told.push(item);
      return String(item);
    };
    expect(firstTen(upTo(13), tell)).toEqual([...upTo(10).map(String), 'and 3 more']);
    expect(told).toEqual(upTo(10));
  });
});

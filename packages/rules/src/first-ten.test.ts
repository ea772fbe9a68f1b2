import { describe, expect, it } from '@jest/globals';
import { firstTen } from './first-ten.ts';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the first ten', () => {
  it('are all where there are no more', () => {
    expect(firstTen(upTo(10), String)).toEqual(upTo(10).map(String));
    expect(firstTen([], String)).toEqual([]);
  });

  it('say how many follow, and name none of those', () => {
    const named: number[] = [];
    const nameOf = (item: number): string => {
      named.push(item);
      return String(item);
    };
    expect(firstTen(upTo(13), nameOf)).toEqual([...upTo(10).map(String), 'and 3 more']);
    expect(named).toEqual(upTo(10));
  });
});

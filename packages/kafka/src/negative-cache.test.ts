import { describe, expect, it } from '@jest/globals';
import { NegativeCache } from './negative-cache.ts';

describe('NegativeCache', () => {
  it('remembers a miss for its lifetime, end exclusive', () => {
    const misses = new NegativeCache(2_000, 10);
    misses.add('a', 0);
    expect(misses.has('a', 1_999)).toBe(true);
    expect(misses.has('a', 2_000)).toBe(false);
    expect(misses.has('b', 0)).toBe(false);
  });

  it('forgets the oldest misses over its capacity', () => {
    const misses = new NegativeCache(2_000, 2);
    for (const key of ['a', 'b', 'c']) misses.add(key, 0);
    expect(['a', 'b', 'c'].filter((key) => misses.has(key, 1))).toEqual(['b', 'c']);
  });
});

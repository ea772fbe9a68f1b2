import { describe, expect, it } from '@jest/globals';
import { SliceSize } from './slice-size.ts';

describe('SliceSize', () => {
  it('is halved by each trouble, and is one record at least', () => {
    const sliceSize = new SliceSize(300);
    const sizes = Array.from({ length: 10 }, () => {
      sliceSize.failed(300);
      return sliceSize.size;
    });
    expect(sizes).toEqual([150, 75, 37, 18, 9, 4, 2, 1, 1, 1]);
  });

  it('is half of the tried records where they were fewer', () => {
    const sliceSize = new SliceSize(300);
    sliceSize.failed(41);
    expect(sliceSize.size).toBe(20);
  });

  it('grows back with every success, to the most and no further', () => {
    const sliceSize = new SliceSize(10);
    expect(sliceSize.size).toBe(10);
    for (let troubles = 0; troubles < 4; troubles += 1) sliceSize.failed(10);
    const sizes = Array.from({ length: 5 }, () => {
      sliceSize.succeeded();
      return sliceSize.size;
    });
    expect(sizes).toEqual([2, 4, 8, 10, 10]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { BatchSize } from './batch-size.ts';

describe('BatchSize', () => {
  it('is halved by each trouble, and is one record at least', () => {
    const batchSize = new BatchSize(300);
    const sizes = Array.from({ length: 10 }, () => {
      batchSize.failed(300);
      return batchSize.size;
    });
    expect(sizes).toEqual([150, 75, 37, 18, 9, 4, 2, 1, 1, 1]);
  });

  it('is half of the tried records where they were fewer', () => {
    const batchSize = new BatchSize(300);
    batchSize.failed(41);
    expect(batchSize.size).toBe(20);
  });

  it('grows back with every success, to the most and no further', () => {
    const batchSize = new BatchSize(10);
    expect(batchSize.size).toBe(10);
    for (let troubles = 0; troubles < 4; troubles += 1) batchSize.failed(10);
    const sizes = Array.from({ length: 5 }, () => {
      batchSize.succeeded();
      return batchSize.size;
    });
    expect(sizes).toEqual([2, 4, 8, 10, 10]);
  });
});

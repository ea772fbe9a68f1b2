import { describe, expect, it } from '@jest/globals';
import { RecordLimit } from './record-limit.ts';

describe('RecordLimit', () => {
  it('is halved by each failure, and is one record at least', () => {
    const recordLimit = new RecordLimit(300);
    const limits = Array.from({ length: 10 }, () => {
      recordLimit.failed(300);
      return recordLimit.current;
    });
    expect(limits).toEqual([150, 75, 37, 18, 9, 4, 2, 1, 1, 1]);
  });

  it('is half of the tried records where they were fewer', () => {
    const recordLimit = new RecordLimit(300);
    recordLimit.failed(41);
    expect(recordLimit.current).toBe(20);
  });

  it('grows back with every success, to its maximum and no further', () => {
    const recordLimit = new RecordLimit(10);
    expect(recordLimit.current).toBe(10);
    for (let failures = 0; failures < 4; failures += 1) recordLimit.failed(10);
    const limits = Array.from({ length: 5 }, () => {
      recordLimit.succeeded();
      return recordLimit.current;
    });
    expect(limits).toEqual([2, 4, 8, 10, 10]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { FetchRateLimit } from './fetch-rate-limit.ts';

/** The rate limit of a broker whose first turns are used up at 0. */
function busy(...nodeIds: readonly number[]): FetchRateLimit {
  const rateLimit = new FetchRateLimit(100);
  for (const nodeId of nodeIds) {
    for (let turn = 0; turn < 8; turn += 1) {
      rateLimit.fetched(nodeId);
      expect(rateLimit.mayEndAt(0)).toBe(0);
    }
  }
  return rateLimit;
}

describe('the rate limit of fetches', () => {
  it('takes one token for a fetch of any number of partitions, and delays one of them', () => {
    const rateLimit = busy(1);
    rateLimit.fetched(1);
    expect([0, 0, 40].map((now) => rateLimit.mayEndAt(now))).toEqual([100, 0, 40]);
    rateLimit.fetched(1);
    expect(rateLimit.mayEndAt(100)).toBe(200);
  });

  it('takes no token for a fetch without records', () => {
    const rateLimit = busy(1);
    for (let fetch = 0; fetch < 5; fetch += 1) rateLimit.fetched(1);
    expect(rateLimit.mayEndAt(0)).toBe(100);
  });

  it('limits each broker by itself', () => {
    const rateLimit = busy(1);
    rateLimit.fetched(1);
    expect(rateLimit.mayEndAt(0)).toBe(100);
    rateLimit.fetched(2);
    expect(rateLimit.mayEndAt(0)).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TokenBucket } from './token-bucket.ts';

const bucket = () => new TokenBucket({ burst: 3, everyMs: 100, nowMs: 0 });

describe('TokenBucket', () => {
  it('allows a burst and then one take in every interval', () => {
    const turns = bucket();
    expect([0, 0, 0, 0].map((now) => turns.take(now))).toEqual([0, 0, 0, 100]);
    expect(turns.take(100)).toBe(100);
  });

  it('never delays takes that are further apart than the interval', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 10_000 })), (gaps) => {
        const turns = bucket();
        let now = 0;
        for (const gap of gaps) expect(turns.take((now += gap))).toBe(0);
      }),
    );
  });

  it('allows in any span at most the burst and one take for each interval', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1 }), (gaps) => {
        const turns = bucket();
        let now = 0;
        for (const gap of gaps) now += gap + turns.take(now + gap);
        expect(gaps.length).toBeLessThanOrEqual(3 + now / 100 + 1);
      }),
    );
  });
});

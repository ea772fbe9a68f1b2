import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TokenBuckets, type Rate } from './token-buckets.ts';

/** Of a burst of 1 to `burst` and a rate that may be more or less than it. */
const rates = fc.record({ perSecond: fc.integer({ min: 1, max: 400 }), burst: fc.integer({ min: 1, max: 60 }) });
/** Pauses between requests, in milliseconds with fractions: most are short, so that buckets do get empty. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 20, noNaN: true }), fc.nat(2_000)), {
  maxLength: 200,
});

/** When requests come, and whether each got a token. */
function asked(buckets: TokenBuckets, waits: readonly number[]): { readonly at: number; readonly took: boolean }[] {
  let now = 12_345.678;
  return waits.map((wait) => {
    now += wait;
    return { at: Math.floor(now), took: buckets.take('a', now) === 0 };
  });
}

/** The last instants of all stretches of time in which more tokens were taken than the rate allows. */
function beyond({ burst, perSecond }: Rate, takenAt: readonly number[], toleranceMs = 0): number[] {
  return takenAt.flatMap((from, first) =>
    takenAt.filter((to, last) => {
      const allowed = 1_000 * burst + perSecond * (to - from + toleranceMs);
      return last >= first && 1_000 * (last - first + 1) > allowed;
    }),
  );
}

describe('a token bucket', () => {
  it('says how many tokens may be taken at once', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const buckets = new TokenBuckets(rate);
        asked(buckets, waits);
        const now = 12_345.678 + waits.reduce((sum, wait) => sum + wait, 0);
        const tokens = buckets.tokens('a', now);
        let taken = 0;
        while (buckets.take('a', now) === 0) taken += 1;
        expect(tokens).toBe(taken);
      }),
    );
  });

  it('gives out in advance what it lacks, and says to each caller in turn when to use it', () => {
    const buckets = new TokenBuckets({ perSecond: 10, burst: 3 });
    expect([0, 0, 0, 0, 0, 40, 500].map((now) => buckets.reserve('a', now))).toEqual([0, 0, 0, 100, 200, 260, 0]);
    expect(buckets.reserve('b', 500)).toBe(0);
  });

  it('never lets callers use more in advance than its burst and its rate times the length, in any stretch of time', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const buckets = new TokenBuckets(rate);
        let now = 12_345.678;
        // Rounded up to a millisecond each.
        const used = waits.map((wait) => Math.floor((now += wait)) + buckets.reserve('a', now));
        expect(beyond(rate, used, 1)).toEqual([]);
      }),
    );
  });

  it('never gives out more than its burst and its rate times the length, in any stretch of time (F6)', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const taken = asked(new TokenBuckets(rate), waits).filter(({ took }) => took);
        expect(
          beyond(
            rate,
            taken.map(({ at }) => at),
          ),
        ).toEqual([]);
      }),
    );
  });

  it('never refuses where one more would not be more than that in any stretch of time', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const all = asked(new TokenBuckets(rate), waits);
        for (const [index, { at, took }] of all.entries()) {
          if (took) continue;
          const before = all.slice(0, index).filter((each) => each.took);
          const over = before.some(
            (each, n) => 1_000 * (before.length - n + 1) > 1_000 * rate.burst + rate.perSecond * (at - each.at),
          );
          expect(over).toBe(true);
        }
      }),
    );
  });

  it('says exactly when there is a token again, and no sooner', () => {
    fc.assert(
      fc.property(rates, fc.nat(3_600_000), (rate, now) => {
        const emptied = () => {
          const buckets = new TokenBuckets(rate);
          for (let taken = 0; taken < rate.burst; taken += 1) expect(buckets.take('a', now)).toBe(0);
          return buckets;
        };
        const waitMs = emptied().take('a', now);
        expect(waitMs).toBeGreaterThanOrEqual(1);
        expect(emptied().take('a', now + waitMs)).toBe(0);
        expect(emptied().take('a', now + waitMs - 1)).toBe(1);
      }),
    );
  });

  it('is as full after a token was put back as if it had never been taken', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 2 });
    expect([buckets.take('a', 0), buckets.take('a', 0)]).toEqual([0, 0]);
    expect(buckets.take('a', 0)).toBe(1_000);
    buckets.giveBack('a');
    buckets.giveBack('b');
    expect([buckets.take('a', 0), buckets.take('a', 0), buckets.take('b', 0)]).toEqual([0, 1_000, 0]);
  });

  it('is that of one holder alone, whatever others took before', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 3 });
    for (let taken = 0; taken < 3; taken += 1) expect(buckets.take('a', 0)).toBe(0);
    expect([buckets.take('a', 0), buckets.take('b', 0)]).toEqual([1_000, 0]);
    const later = Array.from({ length: 4 }, () => buckets.take('b', 2_500));
    expect(later).toEqual([0, 0, 0, 1_000]);
  });

  it('is removed once it is full again, when another holder takes a token', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 3 });
    for (let n = 0; n < 3; n += 1) buckets.take('greedy', n);
    for (let n = 0; n < 50; n += 1) buckets.take(`caller ${n}`, 10);
    expect(buckets.size).toBe(51);
    buckets.take('late', 2_999);
    expect(buckets.size).toBe(52);
    buckets.take('later', 3_000);
    expect(buckets.size).toBe(2);
  });

  it('of more than 100 000 holders at a time is removed where it was used longest ago', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    for (let n = 0; n <= 100_001; n += 1) buckets.take(`caller ${n}`, 0);
    expect(buckets.size).toBeLessThanOrEqual(100_001);
    expect(buckets.take('caller 0', 0)).toBe(0);
    expect(buckets.take('caller 50000', 0)).toBe(1_000);
  });

  it('is overdrawn by what was done already, by as many tokens as it holds at most', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 2 });
    buckets.charge('a', 0, 1);
    expect([buckets.take('a', 0), buckets.take('a', 0)]).toEqual([0, 1_000]);
    buckets.charge('a', 0, 1_000_000);
    expect([buckets.take('a', 0), buckets.take('a', 3_000)]).toEqual([3_000, 0]);
    expect(buckets.take('b', 0)).toBe(0);
  });
});

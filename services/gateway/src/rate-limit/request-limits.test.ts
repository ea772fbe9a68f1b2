import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DOMAINS } from '@tocsin/api';
import { TokenBuckets } from '@tocsin/core';
import { requestLimits, type Rate, type Rates } from './request-limits.ts';

const ratesOf = (rate: Rate): Rates =>
  Object.fromEntries(DOMAINS.map((domain) => [domain, rate])) as Exclude<Rates, 'off'>;

describe('the limits that clients read', () => {
  it('are so many in a second and in a minute, of every domain', () => {
    const domains = requestLimits(ratesOf({ perSecond: 100, burst: 1_000 }));
    expect(domains.map(({ domain }) => domain)).toEqual([...DOMAINS]);
    for (const { limits } of domains)
      expect(limits).toEqual([
        { limit: 100, periodInSeconds: 1 },
        { limit: 1_000, periodInSeconds: 60 },
      ]);
  });

  it('never refuse a client that stays within one of them, at any instants (E16)', () => {
    const rates = fc
      .integer({ min: 1, max: 20 })
      .chain((perSecond) =>
        fc.record({ perSecond: fc.constant(perSecond), burst: fc.integer({ min: perSecond, max: 200 }) }),
      );
    const waits = fc.array(fc.oneof(fc.constant(0), fc.nat(100), fc.nat(30_000)), { maxLength: 400 });
    fc.assert(
      fc.property(rates, waits, fc.nat(1), (rate, pauses, which) => {
        const { limit = 0, periodInSeconds = 0 } = requestLimits(ratesOf(rate))[0]?.limits[which] ?? {};
        const buckets = new TokenBuckets(rate);
        const sent: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const recent = sent.filter((at) => at > now - 1_000 * periodInSeconds);
          if (recent.length >= limit) continue;
          expect(buckets.take('a', now)).toBe(0);
          sent.push(now);
        }
      }),
    );
  });

  it('are a million of both where no rate is limited', () => {
    const windows = requestLimits('off').flatMap(({ limits }) => limits.map(({ limit }) => limit));
    expect(new Set(windows)).toEqual(new Set([1_000_000]));
  });
});

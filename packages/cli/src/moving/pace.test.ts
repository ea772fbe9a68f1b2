import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pace } from './pace.ts';

describe('the pace of requests', () => {
  it('uses 80 % of a limit in any period, also right after the one before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }),
        (limit, periodMs, idle) => {
          const pace = new Pace([{ limit, periodMs }]);
          const moments: number[] = [];
          let now = 0;
          for (const ms of idle) {
            now = Math.max(now + ms, moments.at(-1) ?? 0);
            moments.push(pace.take(now));
          }
          const most = Math.max(1, Math.floor(limit * 0.8));
          for (const from of moments)
            expect(moments.filter((at) => at >= from && at < from + periodMs).length).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  it('keeps the strictest of several limits, and none where none is known', () => {
    const strict = new Pace([
      { limit: 10, periodMs: 1_000 },
      { limit: 5, periodMs: 60_000 },
    ]);
    expect([1, 2, 3, 4, 5].map(() => strict.take(0))).toEqual([0, 0, 0, 0, 60_000]);
    const free = new Pace([]);
    expect([7, 7, 8].map((now) => free.take(now))).toEqual([7, 7, 8]);
  });
});

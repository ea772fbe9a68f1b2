import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairLimit, type ShareBounds, shareOf } from './fair-limit.ts';
import type { AdmissionBounds, BodyBounds } from './index.ts';

function takeAll(limit: FairLimit, holder: string, amount: number): void {
  while (limit.tryAcquire(holder, Math.floor(amount)) === 'granted');
}

describe('FairLimit', () => {
  it('says that the share of a holder is used up, and gives the rest to other holders', () => {
    const limit = new FairLimit({ inAll: 4, each: 3 });
    expect([limit.tryAcquire('a', 3), limit.tryAcquire('a'), limit.tryAcquire('b'), limit.tryAcquire('b')]).toEqual([
      'granted',
      'over-its-share',
      'granted',
      'full',
    ]);
  });

  it('leaves something to a third and a fourth holder beside two that take all they can', () => {
    for (const bounds of [shareOf(256, 75), shareOf(67_108_864, 75), { inAll: 6, each: 3 }]) {
      const limit = new FairLimit(bounds);
      for (const greedy of ['a', 'b']) for (let size = bounds.inAll; size >= 1; size /= 2) takeAll(limit, greedy, size);
      expect([limit.tryAcquire('c'), limit.tryAcquire('d')]).toEqual(['granted', 'granted']);
    }
  });

  it('leaves room for one whole piece of work to each of several holders beside two that take all they can', () => {
    const limit = new FairLimit({ inAll: 64, each: 16, least: 10 });
    for (const greedy of ['a', 'b']) for (let size = 64; size >= 1; size /= 2) takeAll(limit, greedy, size);
    expect(['c', 'd', 'e'].map((holder) => limit.tryAcquire(holder, 10))).toEqual(['granted', 'granted', 'granted']);
    expect(limit.tryAcquire('c')).toBe('over-its-share');
  });

  it('gives a holder no more of what it gave back while it has more than its share of what the others leave', () => {
    const limit = new FairLimit({ inAll: 6, each: 3 });
    expect([limit.tryAcquire('a', 3), limit.tryAcquire('b'), limit.tryAcquire('c')]).toEqual([
      'granted',
      'granted',
      'granted',
    ]);
    limit.release('a');
    expect([limit.tryAcquire('a'), limit.tryAcquire('d'), limit.tryAcquire('e')]).toEqual([
      'over-its-share',
      'granted',
      'granted',
    ]);
  });

  it('grants each holder exactly its share of what the others leave, whatever is taken and given back', () => {
    const wish = fc.record({ holder: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 0, max: 5 }) });
    const bound = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), wish)), bound, bound, bound, (steps, inAll, each, least) => {
        const limit = new FairLimit({ inAll, each, least });
        const held: { readonly holder: string; readonly amount: number }[] = [];
        const sum = (of: readonly (typeof held)[number][]): number => of.reduce((all, { amount }) => all + amount, 0);
        for (const [takes, { holder, amount }] of steps) {
          const mine = held.filter((one) => one.holder === holder);
          const left = inAll - (sum(held) - sum(mine));
          const share = Math.min(each, Math.max(least, Math.floor((each * left) / Math.max(1, inAll))));
          const fits = sum(held) + amount <= inAll && sum(mine) + amount <= share;
          expect(limit.resultFor(holder, amount) === 'granted').toBe(fits);
          if (takes && limit.tryAcquire(holder, amount) === 'granted') held.push({ holder, amount });
          const back = takes ? undefined : held.shift();
          if (back !== undefined) limit.release(back.holder, back.amount);
        }
      }),
    );
  });
});

describe('a bound in all', () => {
  it('has a share for each holder, without which it does not compile', () => {
    // @ts-expect-error ShareBounds needs `each`: no bound is without a share.
    const bounds: ShareBounds = { inAll: 4 };
    expect(new FairLimit(bounds).tryAcquire('a')).toBe('granted');
    // @ts-expect-error The same of the requests that wait.
    const admission: AdmissionBounds = { inAll: 4, each: 4, waiting: { inAll: 4 }, waitMs: 0 };
    // @ts-expect-error And of the bytes of bodies.
    const bodies: BodyBounds = { held: { inAll: 4 } };
    expect([admission.waitMs, bodies.held?.inAll]).toEqual([0, 4]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AdmissionBounds, type BodyBounds, type ShareBounds, Shares } from './index.ts';

describe('Shares', () => {
  it('says to one who has their share that it is theirs that is used up, and gives the rest to others', () => {
    const shares = new Shares({ inAll: 4, each: 3 });
    expect([shares.take('a', 3), shares.take('a'), shares.take('b'), shares.take('b')]).toEqual([
      'taken',
      'over-its-share',
      'taken',
      'all-taken',
    ]);
  });

  it('takes one while work runs, also work that fails, and begins none where none is left', async () => {
    const shares = new Shares({ inAll: 1, each: 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = shares.tryRun('a', () => promise);
    let begun = 0;
    expect(await shares.tryRun('b', () => Promise.resolve((begun += 1)))).toBeUndefined();
    expect(begun).toBe(0);
    resolve('done');
    expect(await running).toBe('done');
    await expect(shares.tryRun('b', () => Promise.reject(new RangeError('failed')))).rejects.toThrow(RangeError);
    expect(await shares.tryRun('b', () => Promise.resolve('again'))).toBe('again');
  });

  it('whatever is taken and given back, grants neither anybody more than their share nor all more than there is, and no less', () => {
    const wish = fc.record({ holder: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 0, max: 5 }) });
    const bound = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), wish)), bound, bound, (steps, inAll, each) => {
        const shares = new Shares({ inAll, each });
        const held: { readonly holder: string; readonly amount: number }[] = [];
        const sum = (of: readonly (typeof held)[number][]): number => of.reduce((all, { amount }) => all + amount, 0);
        for (const [takes, { holder, amount }] of steps) {
          const mine = held.filter((one) => one.holder === holder);
          const fits = sum(held) + amount <= inAll && sum(mine) + amount <= each;
          expect(shares.wouldBe(holder, amount) === 'taken').toBe(fits);
          if (takes && shares.take(holder, amount) === 'taken') held.push({ holder, amount });
          const back = takes ? undefined : held.shift();
          if (back !== undefined) shares.giveBack(back.holder, back.amount);
        }
      }),
    );
  });
});

describe('a bound in all', () => {
  it('has a share for each holder, without which it does not compile', () => {
    // @ts-expect-error ShareBounds needs `each`: no bound is without a share.
    const bounds: ShareBounds = { inAll: 4 };
    expect(new Shares(bounds).take('a')).toBe('taken');
    // @ts-expect-error The same of the requests under way and of those that wait.
    const admission: AdmissionBounds = { atOnce: { inAll: 4 }, waiting: { inAll: 4 }, waitMs: 0 };
    // @ts-expect-error And of the bytes of bodies.
    const bodies: BodyBounds = { held: { inAll: 4 } };
    expect([admission.waitMs, bodies.held?.inAll]).toEqual([0, 4]);
  });
});

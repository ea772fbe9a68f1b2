import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AdmissionBounds, type BodyBounds, type ShareBounds, shareOf, Shares } from './index.ts';

function takeAll(shares: Shares, holder: string, amount: number): void {
  while (shares.take(holder, Math.floor(amount)) === 'taken');
}

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

  it('leaves something to a third and a fourth holder beside two that take all they can', () => {
    for (const bounds of [shareOf(256, 75), shareOf(67_108_864, 75), { inAll: 6, each: 3 }]) {
      const shares = new Shares(bounds);
      for (const greedy of ['a', 'b'])
        for (let size = bounds.inAll; size >= 1; size /= 2) takeAll(shares, greedy, size);
      expect([shares.take('c'), shares.take('d')]).toEqual(['taken', 'taken']);
    }
  });

  it('leaves room for one whole piece of work to each of several holders beside two that take all they can', () => {
    const shares = new Shares({ inAll: 64, each: 16, least: 10 });
    for (const greedy of ['a', 'b']) for (let size = 64; size >= 1; size /= 2) takeAll(shares, greedy, size);
    expect(['c', 'd', 'e'].map((holder) => shares.take(holder, 10))).toEqual(['taken', 'taken', 'taken']);
    expect(shares.take('c')).toBe('over-its-share');
  });

  it('gives a holder no more of what it gave back while it has more than its share of what the others leave', () => {
    const shares = new Shares({ inAll: 6, each: 3 });
    expect([shares.take('a', 3), shares.take('b'), shares.take('c')]).toEqual(['taken', 'taken', 'taken']);
    shares.giveBack('a');
    expect([shares.take('a'), shares.take('d'), shares.take('e')]).toEqual(['over-its-share', 'taken', 'taken']);
  });

  it('whatever is taken and given back, grants no holder more than its share of what the others leave, and no less', () => {
    const wish = fc.record({ holder: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 0, max: 5 }) });
    const bound = fc.integer({ min: 0, max: 10 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), wish)), bound, bound, bound, (steps, inAll, each, least) => {
        const shares = new Shares({ inAll, each, least });
        const held: { readonly holder: string; readonly amount: number }[] = [];
        const sum = (of: readonly (typeof held)[number][]): number => of.reduce((all, { amount }) => all + amount, 0);
        for (const [takes, { holder, amount }] of steps) {
          const mine = held.filter((one) => one.holder === holder);
          const left = inAll - (sum(held) - sum(mine));
          const share = Math.min(each, Math.max(least, Math.floor((each * left) / Math.max(1, inAll))));
          const fits = sum(held) + amount <= inAll && sum(mine) + amount <= share;
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

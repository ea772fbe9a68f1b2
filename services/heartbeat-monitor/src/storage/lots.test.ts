import { describe, expect, it } from '@jest/globals';
import { Lots } from './lots.ts';

/** Lots whose steps wait for the test. */
function heldLots() {
  const steps: { readonly items: readonly number[]; readonly end: (failure?: Error) => void }[] = [];
  const lots = new Lots((items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    const end = (failure?: Error) => {
      if (failure === undefined) resolve(items.map((item) => item * 10));
      else reject(failure);
    };
    steps.push({ items, end });
    return promise;
  });
  return { lots, steps };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Lots', () => {
  it('does together what is asked for in one turn, and answers each by its own result', async () => {
    const { lots, steps } = heldLots();
    const asked = Promise.all([1, 2, 3].map((item) => lots.add(item)));
    await turn();
    expect(steps.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    steps[0]?.end();
    expect(await asked).toEqual([10, 20, 30]);
  });

  it('lets what comes while two steps are under way wait for the next, which takes all of it', async () => {
    const { lots, steps } = heldLots();
    const asked: Promise<number>[] = [];
    for (const item of [1, 2, 3, 4]) {
      asked.push(lots.add(item));
      await turn();
    }
    expect(steps.map(({ items }) => items)).toEqual([[1], [2]]);
    steps[0]?.end();
    expect(await asked[0]).toBe(10);
    await turn();
    expect(steps.map(({ items }) => items)).toEqual([[1], [2], [3, 4]]);
    for (const { end } of steps) end();
    expect(await Promise.all(asked)).toEqual([10, 20, 30, 40]);
  });

  it('fails for those of a lot alone whose step fails', async () => {
    const { lots, steps } = heldLots();
    const first = lots.add(1);
    await turn();
    const second = lots.add(2);
    await turn();
    steps[0]?.end(new Error('away'));
    steps[1]?.end();
    await expect(first).rejects.toThrow('away');
    expect(await second).toBe(20);
  });

  it('takes at most 500 at once, and leaves none behind', async () => {
    const { lots, steps } = heldLots();
    const asked = Promise.all(Array.from({ length: 1_201 }, (_, item) => lots.add(item)));
    for (let step = 0; step < 3; step += 1) {
      await turn();
      steps[step]?.end();
    }
    expect(await asked).toHaveLength(1_201);
    expect(steps.map(({ items }) => items.length)).toEqual([500, 500, 201]);
  });
});

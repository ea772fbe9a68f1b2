import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.ts';

/** A batcher whose batches wait for the test. */
function heldBatcher() {
  const batches: { readonly items: readonly number[]; readonly end: (failure?: Error) => void }[] = [];
  const batcher = new Batcher((items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    const end = (failure?: Error) => {
      if (failure === undefined) resolve(items.map((item) => item * 10));
      else reject(failure);
    };
    batches.push({ items, end });
    return promise;
  });
  return { batcher, batches };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Batcher', () => {
  it('processes together the items of one turn, and resolves each with its own result', async () => {
    const { batcher, batches } = heldBatcher();
    const asked = Promise.all([1, 2, 3].map((item) => batcher.add(item)));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    batches[0]?.end();
    expect(await asked).toEqual([10, 20, 30]);
  });

  it('lets items that are added while two batches are under way wait for the next, which has all of them', async () => {
    const { batcher, batches } = heldBatcher();
    const asked: Promise<number>[] = [];
    for (const item of [1, 2, 3, 4]) {
      asked.push(batcher.add(item));
      await turn();
    }
    expect(batches.map(({ items }) => items)).toEqual([[1], [2]]);
    batches[0]?.end();
    expect(await asked[0]).toBe(10);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1], [2], [3, 4]]);
    for (const { end } of batches) end();
    expect(await Promise.all(asked)).toEqual([10, 20, 30, 40]);
  });

  it('rejects the items of a batch that fails, and no others', async () => {
    const { batcher, batches } = heldBatcher();
    const first = batcher.add(1);
    await turn();
    const second = batcher.add(2);
    await turn();
    batches[0]?.end(new Error('away'));
    batches[1]?.end();
    await expect(first).rejects.toThrow('away');
    expect(await second).toBe(20);
  });

  it('has at most 500 items in a batch, and leaves none out', async () => {
    const { batcher, batches } = heldBatcher();
    const asked = Promise.all(Array.from({ length: 1_201 }, (_, item) => batcher.add(item)));
    for (let batch = 0; batch < 3; batch += 1) {
      await turn();
      batches[batch]?.end();
    }
    expect(await asked).toHaveLength(1_201);
    expect(batches.map(({ items }) => items.length)).toEqual([500, 500, 201]);
  });
});

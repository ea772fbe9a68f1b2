import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Batcher, type BatcherOptions } from './batcher.ts';

type Bounds = Pick<BatcherOptions<number, number>, 'maxConcurrent' | 'maxItems'>;

/** A batcher whose batches wait for the test. */
function heldBatcher(bounds: Bounds = {}) {
  const batches: { readonly items: readonly number[]; readonly end: (failure?: Error) => void }[] = [];
  const process = (items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    const end = (failure?: Error) => {
      if (failure === undefined) resolve(items.map((item) => item * 10));
      else reject(failure);
    };
    batches.push({ items, end });
    return promise;
  };
  return { batcher: new Batcher({ process, ...bounds }), batches };
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

  it('adds items that arrive while as many batches run as may run to the next batch', async () => {
    const { batcher, batches } = heldBatcher({ maxConcurrent: 2 });
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
    const { batcher, batches } = heldBatcher({ maxConcurrent: 2 });
    const first = batcher.add(1);
    await turn();
    const second = batcher.add(2);
    await turn();
    batches[0]?.end(new Error('unavailable'));
    batches[1]?.end();
    await expect(first).rejects.toThrow('unavailable');
    expect(await second).toBe(20);
  });

  it('goes on after a batch that fails at once', async () => {
    let isUnavailable = true;
    const batcher = new Batcher<number, number>({
      process: (items) => {
        if (isUnavailable) throw new Error('unavailable');
        return Promise.resolve(items);
      },
    });
    await expect(batcher.add(1)).rejects.toThrow('unavailable');
    isUnavailable = false;
    expect(await batcher.add(2)).toBe(2);
  });

  it('fills as many batches as may run from the items of one turn', async () => {
    const { batcher, batches } = heldBatcher({ maxConcurrent: 2, maxItems: 2 });
    const added = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    batches[1]?.end();
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]]);
    for (const { end } of batches) end();
    expect(await added).toEqual([10, 20, 30, 40, 50]);
  });

  it('processes each item once, in the order of the calls, within its bounds, whenever batches end', async () => {
    const bounds = fc.record({
      maxItems: fc.integer({ min: 1, max: 5 }),
      maxConcurrent: fc.integer({ min: 1, max: 3 }),
    });
    const steps = fc.array(fc.oneof(fc.constant('add' as const), fc.constant('turn' as const), fc.nat(3)), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(bounds, steps, async (limits, taken) => {
        const { batcher, batches } = heldBatcher(limits);
        const added: Promise<number>[] = [];
        const ended = new Set<number>();
        const check = () => {
          expect(batches.length - ended.size).toBeLessThanOrEqual(limits.maxConcurrent);
          for (const { items } of batches) expect(items.length).toBeLessThanOrEqual(limits.maxItems);
        };
        const end = (batch: number) => {
          batches[batch]?.end();
          if (batch < batches.length) ended.add(batch);
        };
        for (const step of taken) {
          if (step === 'add') added.push(batcher.add(added.length));
          else if (step === 'turn') await turn();
          else end(step);
          check();
        }
        for (
          let batch = 0;
          batches.flatMap(({ items }) => items).length < added.length || batch < batches.length;
          batch += 1
        ) {
          await turn();
          end(batch);
        }
        expect(await Promise.all(added)).toEqual(added.map((_, item) => item * 10));
        expect(batches.flatMap(({ items }) => items)).toEqual(added.map((_, item) => item));
      }),
    );
  });
});

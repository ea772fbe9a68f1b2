import { describe, expect, it } from '@jest/globals';
import { ConclusionQueue } from './conclusion-queue.ts';

describe('ConclusionQueue', () => {
  it('writes together what arrives while it is writing, and gives each its answer, none to what was not taken', async () => {
    const groups: (readonly number[])[] = [];
    const queue = new ConclusionQueue<number, string>((results) => {
      groups.push(results);
      return Promise.resolve(new Map(results.filter((result) => result !== 3).map((result) => [result, `${result}`])));
    });
    const taken = await Promise.all([1, 2, 3, 4].map((result) => queue.add(result)));
    expect(taken).toEqual(['1', '2', undefined, '4']);
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });

  it('writes no more together than it may', async () => {
    const groups: (readonly number[])[] = [];
    const queue = new ConclusionQueue<number, boolean>((results) => {
      groups.push(results);
      return Promise.resolve(new Map(results.map((result) => [result, true])));
    }, 2);
    await Promise.all([1, 2, 3, 4].map((result) => queue.add(result)));
    expect(groups).toEqual([[1], [2, 3], [4]]);
  });

  it('tells those whose write failed, and goes on', async () => {
    let failing = true;
    const queue = new ConclusionQueue<number, boolean>((results) =>
      failing
        ? Promise.reject(new Error('no primary'))
        : Promise.resolve(new Map(results.map((result) => [result, true]))),
    );
    await expect(queue.add(1)).rejects.toThrow('no primary');
    failing = false;
    await expect(queue.add(2)).resolves.toBe(true);
  });
});

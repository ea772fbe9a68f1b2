import { describe, expect, it } from '@jest/globals';
import { ConclusionQueue } from './conclusion-queue.ts';

describe('ConclusionQueue', () => {
  it('writes together what arrives while it is writing, and tells each whether it was taken', async () => {
    const groups: (readonly number[])[] = [];
    const queue = new ConclusionQueue<number>((results) => {
      groups.push(results);
      return Promise.resolve(results.filter((result) => result !== 3));
    });
    const taken = await Promise.all([1, 2, 3, 4].map((result) => queue.add(result)));
    expect(taken).toEqual([true, true, false, true]);
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });

  it('tells those whose write failed, and goes on', async () => {
    let failing = true;
    const queue = new ConclusionQueue<number>((results) =>
      failing ? Promise.reject(new Error('no primary')) : Promise.resolve(results),
    );
    await expect(queue.add(1)).rejects.toThrow('no primary');
    failing = false;
    await expect(queue.add(2)).resolves.toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ConclusionQueue } from './conclusion-queue.ts';

describe('ConclusionQueue', () => {
  it('writes together what arrives while it is writing', async () => {
    const groups: (readonly number[])[] = [];
    const queue = new ConclusionQueue<number>((results) => {
      groups.push(results);
      return Promise.resolve();
    });
    await Promise.all([1, 2, 3, 4].map((result) => queue.add(result)));
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });

  it('tells those whose write failed, and goes on', async () => {
    let failing = true;
    const queue = new ConclusionQueue<number>(() =>
      failing ? Promise.reject(new Error('no primary')) : Promise.resolve(),
    );
    await expect(queue.add(1)).rejects.toThrow('no primary');
    failing = false;
    await expect(queue.add(2)).resolves.toBeUndefined();
  });
});

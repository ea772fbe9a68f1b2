import { describe, expect, it } from '@jest/globals';
import { BulkKeys, type BulkProgress } from './bulk-keys.ts';

/** One partition, which begins at 0. */
const at = (end: number, position: number) => (): Promise<BulkProgress> =>
  Promise.resolve({ bounds: new Map([[0, { start: 0, end }]]), positions: new Map([[0, position]]) });

describe('the keys of the bulk topic', () => {
  it('stay until their partition is processed up to an end that was read after they were written', async () => {
    const keys = new BulkKeys(1);
    const written = keys.add(['a', 'b']);
    await keys.removeProcessed(at(10, 10));
    expect([keys.has('a'), keys.has('b'), keys.has('c')]).toEqual([true, true, false]);
    written();
    await keys.removeProcessed(at(12, 11));
    expect([keys.has('a'), keys.isEmpty]).toEqual([true, false]);
    await keys.removeProcessed(at(13, 12));
    expect([keys.has('a'), keys.isEmpty]).toEqual([false, true]);
  });

  it('stay while one of their records is written during the read of the ends', async () => {
    const keys = new BulkKeys(1);
    await keys.removeProcessed(() => {
      keys.add(['a'])();
      return at(10, 10)();
    });
    expect(keys.has('a')).toBe(true);
  });

  it('stay if they were written again', async () => {
    const keys = new BulkKeys(1);
    keys.add(['a'])();
    await keys.removeProcessed(at(1, 0));
    keys.add(['a'])();
    await keys.removeProcessed(at(2, 1));
    expect([keys.has('a'), keys.isEmpty]).toEqual([true, false]);
    await keys.removeProcessed(at(2, 2));
    expect(keys.isEmpty).toBe(true);
  });

  it('stay where the position is beyond the end, because it belongs to an earlier topic', async () => {
    const keys = new BulkKeys(1);
    keys.found(0, 'a', 5);
    await keys.removeProcessed(at(5, 1_000));
    expect(keys.has('a')).toBe(true);
  });

  it('stay while one of several writes of them is under way', async () => {
    const keys = new BulkKeys(1);
    const first = keys.add(['a']);
    const second = keys.add(['a']);
    first();
    await keys.removeProcessed(at(1, 1));
    expect(keys.has('a')).toBe(true);
    second();
    await keys.removeProcessed(at(2, 2));
    expect([keys.has('a'), keys.isEmpty]).toEqual([false, true]);
  });

  it('end with the topic: a recreated one has none of them', async () => {
    const keys = new BulkKeys(1);
    keys.found(0, 'a', 5_000);
    await keys.removeProcessed(at(0, 5_000));
    await keys.removeProcessed(at(3, 3));
    expect([keys.has('a'), keys.isEmpty]).toEqual([false, true]);
  });

  it('may share a slot: then one of them keeps the other', async () => {
    const keys = new BulkKeys(1, 1);
    keys.add(['a'])();
    expect([keys.has('a'), keys.has('b')]).toEqual([true, true]);
    await keys.removeProcessed(at(1, 1));
    expect([keys.has('a'), keys.has('b')]).toEqual([false, false]);
  });
});

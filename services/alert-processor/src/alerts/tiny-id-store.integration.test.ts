import { describe, expect, it } from '@jest/globals';
import { useStorage } from '../testing/mongo-fixture.ts';

const open = useStorage();

describe('the source of tiny ids', () => {
  it('never gives a tiny id twice', async () => {
    const { tinyIds } = await open();
    const counts = [3, 2, 1, 300, 1, 1];
    const firsts = await Promise.all(counts.map((count) => tinyIds.reserve(count)));
    firsts.push(await tinyIds.reserve(1));
    const taken = [...counts, 1].flatMap((count, index) =>
      Array.from({ length: count }, (_, step) => (firsts[index] ?? 0) + step),
    );
    expect(new Set(taken).size).toBe(309);
    expect(Math.min(...taken)).toBeGreaterThan(0);
  });
});

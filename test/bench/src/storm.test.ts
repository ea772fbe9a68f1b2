import { describe, expect, it } from '@jest/globals';
import { stormVerdict, type Storm } from './storm-verdict.ts';

const load: Storm['flood'] = {
  sent: 100,
  accepted: ['1', '2'],
  latenciesMs: Float64Array.of(10, 20),
  refused: new Map([
    ['429', 97],
    ['503', 1],
  ]),
  refusedAfterMs: 5,
  lagMs: 1,
  seconds: 1,
};
const kept: Storm = {
  flood: load,
  rateMost: 2,
  refused: new Map([['503', 3]]),
  waitsMs: [...Array.from({ length: 99 }, () => 2_000), Infinity],
  lost: 0,
};
const keptWith = (changes: Partial<Storm>): boolean => stormVerdict({ ...kept, ...changes }).kept;
const floodHears = (...refused: [string, number][]) => ({ flood: { ...load, refused: new Map(refused) } });

describe('the verdict on a storm', () => {
  it('is good where the flood is told 429, 99 of 100 pages of another key come within 2 s, and nothing is lost', () => {
    expect(stormVerdict(kept).kept).toBe(true);
    expect(stormVerdict(kept).table).toMatch(/page after p99 +2000 ms +2000 ms/);
  });

  it('is bad where pages come late or not at all, where anything accepted is lost, or where the flood is not held', () => {
    expect(keptWith({ waitsMs: [2_001] })).toBe(false);
    expect(keptWith({ waitsMs: [...Array.from({ length: 98 }, () => 1), Infinity, Infinity] })).toBe(false);
    expect(keptWith({ waitsMs: [] })).toBe(false);
    expect(keptWith({ lost: 1 })).toBe(false);
    expect(keptWith({ rateMost: 1 })).toBe(false);
    expect(keptWith(floodHears(['503', 98]))).toBe(false);
    expect(keptWith(floodHears(['429', 97], ['no answer', 1]))).toBe(false);
  });
});

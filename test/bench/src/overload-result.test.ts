import { describe, expect, it } from '@jest/globals';
import { overloadResult, type Overload } from './overload-result.ts';

const kept: Overload = {
  capacity: 1_000,
  lost: 0,
  load: {
    sent: 3,
    accepted: ['1', '2'],
    latenciesMs: Float64Array.of(10, 2_050),
    refused: new Map([['503', 1]]),
    refusedAfterMs: 2_050,
    lagMs: 100,
    seconds: 1,
  },
};
const keptWith = (changes: Partial<Overload['load']>): boolean =>
  overloadResult({ ...kept, load: { ...kept.load, ...changes } }).kept;

describe('the result of an overload', () => {
  it('is good where every caller is answered 202 or 503 within 2 s and the lag of the load itself', () => {
    expect(overloadResult(kept).kept).toBe(true);
  });

  it('is bad where a caller waits longer, receives anything else or nothing, or what was accepted is lost', () => {
    expect(keptWith({ latenciesMs: Float64Array.of(10, 2_101) })).toBe(false);
    expect(keptWith({ refusedAfterMs: 2_101 })).toBe(false);
    expect(keptWith({ refused: new Map([['no answer', 1]]) })).toBe(false);
    expect(keptWith({ accepted: [], latenciesMs: new Float64Array() })).toBe(false);
    expect(overloadResult({ ...kept, lost: 1 }).kept).toBe(false);
  });
});

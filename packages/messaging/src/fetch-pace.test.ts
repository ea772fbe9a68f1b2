import { describe, expect, it } from '@jest/globals';
import { FetchPace } from './fetch-pace.ts';

/** The pace of a broker whose first turns are used up at 0. */
function busy(...nodeIds: readonly number[]): FetchPace {
  const pace = new FetchPace(100);
  for (const nodeId of nodeIds) {
    for (let turn = 0; turn < 8; turn += 1) {
      pace.fetched(nodeId);
      expect(pace.heldUntil(0)).toBe(0);
    }
  }
  return pace;
}

describe('the pace of fetches', () => {
  it('counts what one fetch brings as one turn, of however many partitions, and holds one of them', () => {
    const pace = busy(1);
    pace.fetched(1);
    expect([0, 0, 40].map((now) => pace.heldUntil(now))).toEqual([100, 0, 40]);
    pace.fetched(1);
    expect(pace.heldUntil(100)).toBe(200);
  });

  it('takes no turn for a fetch that brings nothing', () => {
    const pace = busy(1);
    for (let fetch = 0; fetch < 5; fetch += 1) pace.fetched(1);
    expect(pace.heldUntil(0)).toBe(100);
  });

  it('holds up no broker for another', () => {
    const pace = busy(1);
    pace.fetched(1);
    expect(pace.heldUntil(0)).toBe(100);
    pace.fetched(2);
    expect(pace.heldUntil(0)).toBe(0);
  });
});

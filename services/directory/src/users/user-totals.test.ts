import { describe, expect, it } from '@jest/globals';
import type { UserCondition } from '@tocsin/api';
import { UserTotals } from './user-totals.ts';

const blocked: readonly UserCondition[] = [{ field: 'blocked', value: true }];

function setUp() {
  const state = { revision: 1, counts: 0, fails: false };
  const totals = new UserTotals({
    revision: () => Promise.resolve(state.revision),
    count: () => {
      state.counts += 1;
      return state.fails ? Promise.reject(new Error('unavailable')) : Promise.resolve(state.counts);
    },
  });
  return { state, totals };
}

describe('the total of a search', () => {
  it('is counted once, however many ask at once', async () => {
    const { state, totals } = setUp();
    expect(await Promise.all([totals.of([]), totals.of([]), totals.of([])])).toEqual([1, 1, 1]);
    expect(await totals.of([])).toBe(1);
    expect(state.counts).toBe(1);
  });

  it('is another for another search', async () => {
    const { totals } = setUp();
    expect([await totals.of([]), await totals.of(blocked), await totals.of([])]).toEqual([1, 2, 1]);
  });

  it('is counted again after a write', async () => {
    const { state, totals } = setUp();
    await totals.of([]);
    state.revision = 2;
    expect(await totals.of([])).toBe(2);
  });

  it('is counted again where counting failed', async () => {
    const { state, totals } = setUp();
    state.fails = true;
    await expect(totals.of([])).rejects.toThrow('unavailable');
    state.fails = false;
    expect(await totals.of([])).toBe(2);
  });

  it('is kept for a hundred searches, no more', async () => {
    const { state, totals } = setUp();
    for (let n = 0; n <= 100; n += 1) await totals.of([{ field: 'role', match: 'is', value: String(n) }]);
    await totals.of([{ field: 'role', match: 'is', value: '0' }]);
    expect(state.counts).toBe(102);
  });
});

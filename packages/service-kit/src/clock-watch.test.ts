import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { ClockWatch } from './clock-watch.ts';

const noon = new Date('2026-03-01T12:00:00Z');

function watched(aheadMs: number, { roundTripMs = 0 }: { readonly roundTripMs?: number } = {}) {
  const clock = new ManualClock(new Date(noon.getTime() + aheadMs));
  const state = { other: noon };
  const shown: number[] = [];
  const errors: object[] = [];
  const watch = new ClockWatch({
    clock,
    askOther: () => {
      clock.advance(roundTripMs);
      return Promise.resolve(new Date(state.other.getTime() + roundTripMs / 2));
    },
    logger: { error: (fields) => errors.push(fields), info: () => undefined },
    show: (seconds) => shown.push(seconds),
  });
  return { watch, shown, errors, state };
}

describe('the clock of a process beside that of MongoDB', () => {
  it.each([
    [1_500, 1.5],
    [-90_000, -90],
  ])('is wrong, and the log says by how much, when it is %i ms ahead', async (aheadMs, aheadSeconds) => {
    const { watch, shown, errors } = watched(aheadMs);
    await watch.compare();
    expect(watch.right).toBe(false);
    expect(errors).toEqual([{ aheadSeconds }]);
    expect(shown).toEqual([aheadSeconds]);
  });

  it('is right within a second, and when an answer that took long leaves it open', async () => {
    const near = watched(-900);
    await near.watch.compare();
    const slow = watched(1_500, { roundTripMs: 4_000 });
    await slow.watch.compare();
    expect([near.watch.right, slow.watch.right]).toEqual([true, true]);
    expect([...near.errors, ...slow.errors]).toEqual([]);
  });

  it('is right again once it was set', async () => {
    const { watch, state } = watched(5_000);
    await watch.compare();
    expect(watch.right).toBe(false);
    state.other = new Date(noon.getTime() + 5_000);
    await watch.compare();
    expect(watch.right).toBe(true);
  });
});

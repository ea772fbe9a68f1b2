import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { ClockWatch } from './clock-watch.ts';

const noon = new Date('2026-03-01T12:00:00Z');
const after = (milliseconds: number): Date => new Date(noon.getTime() + milliseconds);

interface Clocks {
  readonly roundTripMs?: number;
  /** By how much the clocks of those other services that answer are ahead of MongoDB's. */
  readonly others?: readonly number[];
}

function watched(aheadMs: number, { roundTripMs = 0, others = [0, 0, 0] }: Clocks = {}) {
  const clock = new ManualClock(after(aheadMs));
  const state = { mongo: noon };
  const shown: number[] = [];
  const errors: object[] = [];
  const watch = new ClockWatch({
    clock,
    askMongo: () => {
      clock.advance(roundTripMs);
      return Promise.resolve(new Date(state.mongo.getTime() + roundTripMs / 2));
    },
    askOthers: () => Promise.resolve(others.map((ofMongo) => ofMongo - aheadMs)),
    logger: { error: (fields) => errors.push(fields), info: () => undefined },
    show: (seconds) => shown.push(seconds),
  });
  return { watch, shown, errors, state };
}

describe('the clock of a process beside that of MongoDB', () => {
  it.each([
    [1_500, 1.5],
    [-90_000, -90],
  ])(
    'is wrong, and the log says by how much, when it is %i ms ahead and the others are not',
    async (aheadMs, aheadSeconds) => {
      const { watch, shown, errors } = watched(aheadMs, { others: [0, 300, aheadMs] });
      await watch.compare();
      expect(watch.wrong).toBe(true);
      expect(errors).toEqual([{ aheadSeconds }]);
      expect(shown).toEqual([aheadSeconds]);
    },
  );

  it.each([
    ['the other services say the same as it does', [5_000, 4_700, 5_300, 0]],
    ['as many of them side with it as with MongoDB', [5_000, 0]],
    ['none of them answers', []],
  ])('goes on, and the log says that one of the two is wrong, when %s', async (_, others) => {
    const { watch, errors } = watched(5_000, { others });
    await watch.compare();
    expect(watch.wrong).toBe(false);
    expect(errors).toEqual([{ aheadSeconds: 5 }]);
  });

  it('is right within a second, and when an answer that took long leaves it open', async () => {
    const near = watched(-900);
    await near.watch.compare();
    const slow = watched(1_500, { roundTripMs: 4_000 });
    await slow.watch.compare();
    expect([near.watch.wrong, slow.watch.wrong]).toEqual([false, false]);
    expect([...near.errors, ...slow.errors]).toEqual([]);
  });

  it('is right again once it was set', async () => {
    const { watch, state } = watched(5_000);
    await watch.compare();
    expect(watch.wrong).toBe(true);
    state.mongo = after(5_000);
    await watch.compare();
    expect(watch.wrong).toBe(false);
  });
});

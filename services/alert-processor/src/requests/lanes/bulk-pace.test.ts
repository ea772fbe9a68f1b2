import { describe, expect, it } from '@jest/globals';
import { BulkPace } from './bulk-pace.ts';

function setUp() {
  const state = { nowMs: 0, isWaiting: true };
  const pace = new BulkPace({
    isWaiting: () => state.isWaiting,
    nowMs: () => state.nowMs,
    pause: (milliseconds) => {
      state.nowMs += milliseconds;
      return Promise.resolve();
    },
  });
  const work = (milliseconds: number) =>
    pace.run(() => {
      state.nowMs += milliseconds;
      return Promise.resolve(state.nowMs);
    });
  return { state, work };
}

describe('the pace of the bulk topic', () => {
  it('is a fifth of the time while others wait', async () => {
    const { work } = setUp();
    expect([await work(100), await work(100), await work(50)]).toEqual([4_100, 4_600, 5_050]);
  });

  it('begins four seconds after the start at the latest, and at once where nothing else waits', async () => {
    const busy = setUp();
    expect(await busy.work(0)).toBe(4_000);
    const idle = setUp();
    idle.state.isWaiting = false;
    expect(await idle.work(0)).toBe(0);
  });

  it('has no rest while nothing else waits, and ends its rest then', async () => {
    const { state, work } = setUp();
    state.isWaiting = false;
    expect([await work(100), await work(100)]).toEqual([100, 200]);
  });

  it('continues after four seconds, however long its work took', async () => {
    const { work } = setUp();
    expect([await work(60_000), await work(0)]).toEqual([64_000, 68_000]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { EventLoopLimit } from './event-loop-limit.ts';

/** A loop whose time passes as the test says. */
class SteeredLoop {
  #nowMs = 1_000;
  #idleMs = 300;
  #ended: () => void = () => undefined;

  now = () => this.#nowMs;
  idleMs = () => this.#idleMs;
  whenTurnEnds = (ended: () => void) => {
    this.#ended = ended;
  };

  work(ms: number): void {
    this.#nowMs += ms;
  }

  /** The turn ends, and the loop waits for so long until something arrives. */
  endTurn({ idleMs }: { readonly idleMs: number }): void {
    this.#ended();
    this.#nowMs += idleMs;
    this.#idleMs += idleMs;
  }
}

/** How long a turn goes on until the requests of `caller` are refused, to 10 ms. */
function longestTurn(loop: SteeredLoop, limit: EventLoopLimit, caller = 'flood'): number {
  let lastedMs = 0;
  for (; !isRefused(limit, caller); lastedMs += 10) loop.work(10);
  return lastedMs;
}

function isRefused(limit: EventLoopLimit, caller: string): boolean {
  limit.requestBegan();
  return limit.isExceededFor(caller);
}

/** A loop that had no pause for half a second, in which `flood` alone sent requests. */
function busyLoop() {
  const loop = new SteeredLoop();
  const limit = new EventLoopLimit({ loop });
  for (let turn = 0; turn < 2; turn += 1) {
    longestTurn(loop, limit);
    loop.endTurn({ idleMs: 1 });
  }
  return { loop, limit };
}

describe('EventLoopLimit', () => {
  it('lets a turn that meets a quiet process last 400 ms, each anew', () => {
    const loop = new SteeredLoop();
    const limit = new EventLoopLimit({ loop });
    expect(longestTurn(loop, limit)).toBe(410);
    loop.endTurn({ idleMs: 300 });
    expect(longestTurn(loop, limit)).toBe(410);
  });

  it('lets a turn last 20 ms once the loop had no pause for half a second, and 400 ms again when it had one', () => {
    const { loop, limit } = busyLoop();
    expect(longestTurn(loop, limit)).toBe(30);
    loop.endTurn({ idleMs: 1_000 });
    expect(longestTurn(loop, limit)).toBe(410);
  });

  it('refuses no caller of a busy loop who sent less than an eighth of the requests of the busiest one, within 400 ms', () => {
    const { loop, limit } = busyLoop();
    expect(longestTurn(loop, limit)).toBe(30);
    // The flood has sent over 40 requests in each of two windows.
    for (const caller of ['a', 'b', 'c', 'd']) expect(isRefused(limit, caller)).toBe(false);
    expect(longestTurn(loop, limit, 'e')).toBeGreaterThan(30);
    expect(isRefused(limit, 'e')).toBe(true);
    loop.work(400);
    expect(isRefused(limit, 'f')).toBe(true);
  });

  it('accepts 50 requests of quiet callers in a turn of a busy loop, with any number of callers', () => {
    const { loop, limit } = busyLoop();
    longestTurn(loop, limit);
    const callers = Array.from({ length: 200 }, (_, index) => `caller ${index}`);
    const accepted = () => callers.filter((caller) => !isRefused(limit, caller)).length;
    expect(accepted()).toBe(50);
    loop.endTurn({ idleMs: 1 });
    limit.requestBegan();
    loop.work(30);
    expect(accepted()).toBe(50);
  });

  it('refuses each of many callers who flood alike', () => {
    const { loop, limit } = busyLoop();
    const callers = Array.from({ length: 20 }, (_, index) => `flood ${index}`);
    for (let turn = 0; turn < 20; turn += 1) {
      for (const caller of callers) isRefused(limit, caller);
      loop.work(100);
      loop.endTurn({ idleMs: 1 });
    }
    limit.requestBegan();
    loop.work(30);
    expect(callers.filter((caller) => !isRefused(limit, caller))).toEqual([]);
  });

  it('forgets what callers sent before the last two windows', () => {
    const { loop, limit } = busyLoop();
    for (let turn = 0; turn < 3; turn += 1) {
      for (let request = 0; request < 50; request += 1) isRefused(limit, 'other');
      loop.work(500);
      loop.endTurn({ idleMs: 1 });
    }
    limit.requestBegan();
    loop.work(30);
    expect(isRefused(limit, 'other')).toBe(true);
    expect(isRefused(limit, 'flood')).toBe(false);
  });
});

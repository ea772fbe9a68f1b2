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

/** How long a turn goes on until the limit is exceeded, to 10 ms. */
function longestTurn(loop: SteeredLoop, limit: EventLoopLimit): number {
  let lastedMs = 0;
  for (; !limit.isExceeded(); lastedMs += 10) loop.work(10);
  return lastedMs;
}

/** A loop that had no pause for half a second. */
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

  it('lets a busy turn last longer by what refusals by a rate took of it, up to 80 ms', () => {
    const { loop, limit } = busyLoop();
    const refuse = (times: number) => {
      for (let time = 0; time < times; time += 1) {
        expect(limit.isExceeded()).toBe(false);
        loop.work(10);
        limit.refusedByRate();
      }
    };
    refuse(3);
    expect(longestTurn(loop, limit)).toBe(30);
    loop.endTurn({ idleMs: 1 });
    refuse(10);
    expect(longestTurn(loop, limit)).toBe(10);
    loop.endTurn({ idleMs: 1 });
    expect(longestTurn(loop, limit)).toBe(30);
  });
});

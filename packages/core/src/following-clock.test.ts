import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FollowingClock } from './index.ts';

const NOON_MS = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

/** A process whose monotonic clock began anywhere, a machine whose clock is `aheadMs` ahead, and the server that it follows. */
function setUp({ aheadMs = 0 } = {}) {
  const truth = { monotonicMs: 5_000, serverMs: NOON_MS, systemMs: NOON_MS + aheadMs };
  const clock = new FollowingClock({ monotonicMs: () => truth.monotonicMs, systemMs: () => truth.systemMs });
  const pass = (milliseconds: number): void => {
    truth.monotonicMs += milliseconds;
    truth.serverMs += milliseconds;
    truth.systemMs += milliseconds;
  };
  /** Reads the server's clock, with an answer that takes so long on its way there and on its way back. */
  const read = (thereMs = 0.2, backMs = 0.2): void => {
    const askedAtMs = truth.monotonicMs;
    pass(thereMs);
    const shownMs = Math.floor(truth.serverMs);
    pass(backMs);
    clock.read({ askedAtMs, answeredAtMs: truth.monotonicMs, shownMs });
  };
  const errorMs = (): number => clock.now().getTime() - Math.floor(truth.serverMs);
  return { clock, errorMs, pass, read, truth };
}

describe('a clock that follows another one', () => {
  it('shows the clock of the machine before the first reading, and the followed one at once after it', () => {
    for (const aheadMs of [HOUR_MS, -15 * 24 * HOUR_MS]) {
      const { clock, errorMs, read } = setUp({ aheadMs });
      expect([clock.isSet, errorMs()]).toEqual([false, aheadMs]);
      read();
      expect(clock.isSet).toBe(true);
      expect(Math.abs(errorMs())).toBeLessThanOrEqual(1);
      expect(clock.machineAheadMs / aheadMs).toBeCloseTo(1, 3);
    }
  });

  it('does not look at the clock of the machine any more, which may be set', () => {
    const { clock, errorMs, pass, read, truth } = setUp();
    read();
    truth.systemMs += HOUR_MS;
    pass(30_000);
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(1);
    read();
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(1);
    expect(Math.abs(clock.aheadMs)).toBeLessThanOrEqual(1);
  });

  it('makes a difference up by a tenth of the time that passes, and says how much is left', () => {
    const { clock, errorMs, pass, read, truth } = setUp();
    read();
    truth.serverMs += 6_000;
    read();
    expect(clock.aheadMs / 1_000).toBeCloseTo(-6, 2);
    pass(30_000);
    expect(errorMs() / 1_000).toBeCloseTo(-3, 2);
    pass(60_000);
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(1);
  });

  it('steps forwards where the machine slept, which its clock and the followed one show, and says that it moved', () => {
    const { clock, errorMs, read, truth } = setUp();
    read();
    let moved = 0;
    clock.whenMoved(() => (moved += 1));
    truth.serverMs += HOUR_MS;
    truth.systemMs += HOUR_MS - 100;
    read();
    expect([Math.abs(errorMs()) <= 1, moved]).toEqual([true, 1]);
  });

  it('takes nothing from readings during which the machine slept, and steps at the next one', async () => {
    for (const shownAfterTheSleep of [false, true]) {
      const { clock, errorMs, pass, read, truth } = setUp();
      read();
      let asked = 0;
      const following = clock.follow(() => {
        asked += 1;
        const before = new Date(truth.serverMs);
        pass(asked);
        if (asked === 3) {
          truth.serverMs += HOUR_MS;
          truth.systemMs += HOUR_MS;
        }
        return Promise.resolve(shownAfterTheSleep ? new Date(truth.serverMs) : before);
      });
      await expect(following).rejects.toThrow('The machine slept');
      read();
      expect(Math.abs(errorMs())).toBeLessThanOrEqual(1);
    }
  });

  it('does not step where the new primary of MongoDB has another clock', () => {
    const { clock, errorMs, read, truth } = setUp();
    read();
    let moved = 0;
    clock.whenMoved(() => (moved += 1));
    truth.serverMs += HOUR_MS;
    read();
    expect([Math.round(errorMs() / 1_000), moved]).toEqual([-HOUR_MS / 1_000, 0]);
  });

  it('believes a reading no further than its round trip allows: a slow answer changes nothing', () => {
    for (const [thereMs, backMs] of [
      [20_000, 0],
      [0, 20_000],
    ] as const) {
      const { errorMs, pass, read } = setUp();
      read();
      read(thereMs, backMs);
      pass(60_000);
      expect(Math.abs(errorMs())).toBeLessThanOrEqual(1);
    }
  });

  it('takes the best of several answers, and passes those over that fail', async () => {
    const { clock, errorMs, pass, truth } = setUp({ aheadMs: HOUR_MS });
    const answers = [4_000, undefined, 2, 3_000, undefined];
    await clock.follow(() => {
      const takesMs = answers.shift();
      if (takesMs === undefined) return Promise.reject(new Error('no primary'));
      const shown = new Date(truth.serverMs);
      pass(takesMs);
      return Promise.resolve(shown);
    });
    expect([answers.length, Math.abs(errorMs()) <= 2]).toEqual([0, true]);
    await expect(clock.follow(() => Promise.reject(new Error('no primary')))).rejects.toThrow('no primary');
  });
});

const durations = fc.double({ min: 0, max: 100_000, noNaN: true });
const steps = fc.integer({ min: -HOUR_MS, max: HOUR_MS });
const clockEvents = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('time passes' as const), ms: durations }),
    fc.record({ kind: fc.constant('a reading' as const), ms: durations }),
    fc.record({ kind: fc.constant('a step of the server' as const), ms: steps }),
    fc.record({ kind: fc.constant('a step of the machine' as const), ms: steps }),
  ),
  { maxLength: 40 },
);
type ClockEvent = (typeof clockEvents extends fc.Arbitrary<infer All extends readonly unknown[]> ? All : never)[number];

function apply({ pass, read, truth }: ReturnType<typeof setUp>, { kind, ms }: ClockEvent): void {
  if (kind === 'time passes') pass(ms);
  else if (kind === 'a reading') read(ms / 3, (2 * ms) / 3);
  else if (kind === 'a step of the server') truth.serverMs += ms;
  else truth.systemMs += ms;
}

describe('a clock that follows, whatever happens to the clocks of servers and machines', () => {
  it('never goes back after its first reading, and is never more than a tenth too fast or too slow but for a step', () => {
    fc.assert(
      fc.property(clockEvents, (all) => {
        const tested = setUp();
        const { clock, read, truth } = tested;
        read();
        let stepsOf = 0;
        clock.whenMoved(() => (stepsOf += 1));
        for (const event of all) {
          const before = { shown: clock.now().getTime(), at: truth.monotonicMs, stepsOf };
          apply(tested, event);
          const passed = truth.monotonicMs - before.at;
          const shown = clock.now().getTime() - before.shown;
          expect(shown).toBeGreaterThanOrEqual(Math.floor(passed * 0.9) - 1);
          expect(shown).toBeLessThanOrEqual(stepsOf > before.stepsOf ? Infinity : Math.ceil(passed * 1.1) + 1);
        }
      }),
    );
  });

  it('is as near as the round trip of its last reading, ten times the difference later', () => {
    fc.assert(
      fc.property(clockEvents, fc.double({ min: 0, max: 1_000, noNaN: true }), (all, roundTripMs) => {
        const tested = setUp();
        const { clock, errorMs, pass, read } = tested;
        for (const event of all) apply(tested, event);
        read(roundTripMs / 2, roundTripMs / 2);
        pass(Math.abs(clock.aheadMs) * 10 + 1);
        expect(Math.abs(errorMs())).toBeLessThanOrEqual(roundTripMs + 2);
      }),
    );
  });
});

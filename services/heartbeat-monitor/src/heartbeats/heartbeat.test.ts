import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { at, heartbeatOf, outage, START } from '../testing/heartbeat-samples.ts';
import {
  applyChange,
  applyDisable,
  dueAtOf,
  applyEnable,
  applyExpiry,
  intervalMsOf,
  isExpired,
  applyPing,
  type Heartbeat,
} from './heartbeat.ts';
import type { Outage } from './outage.ts';

/** No outage. */
const NEVER: readonly Outage[] = [];
const waiting = applyPing(heartbeatOf(), at(0));
const overdue = applyExpiry(waiting, at(10), NEVER);

/**
 * Minutes from the last outage until `waiting` expires, and minutes since it was due in which pings could be accepted. Each outage
 * begins so many minutes after the one before, and lasts so many.
 */
function expiryAmong(lengths: readonly (readonly [up: number, down: number])[]) {
  const outages: Outage[] = [];
  let [minute, resumed, sinceDue] = [0, -Infinity, 0];
  for (const [up, down] of [...lengths, [60, 0] as const]) {
    for (const end = minute + up; minute < end; minute += 1) {
      if (isExpired(applyExpiry(waiting, at(minute), outages))) return { sinceOutage: minute - resumed, sinceDue };
      if (minute >= 10) sinceDue += 1;
    }
    outages.push(outage(minute, minute + down));
    minute += down;
    resumed = minute;
  }
  throw new Error('it never expires');
}

describe('a heartbeat', () => {
  it('has no expiry before its first ping, also when it is created enabled (H1)', () => {
    expect(applyExpiry(heartbeatOf(), at(1e6), NEVER)).toEqual(heartbeatOf());
  });

  it('expires when a whole interval has passed since the ping, and not a millisecond sooner', () => {
    expect(isExpired(applyExpiry(waiting, new Date(at(10).getTime() - 1), NEVER))).toBe(false);
    expect(isExpired(applyExpiry(waiting, at(10), NEVER))).toBe(true);
  });

  it('expires once', () => {
    expect(applyExpiry(overdue, at(100), NEVER)).toBe(overdue);
    expect(overdue).toMatchObject({ step: 1, steppedAt: at(10), expiresAt: undefined, nextDueAt: undefined });
  });

  it('is dated by when it was due, however late that is noticed', () => {
    expect(applyExpiry(waiting, at(17), NEVER).steppedAt).toEqual(at(10));
  });

  it.each([
    ['minutes', 60_000],
    ['hours', 3_600_000],
    ['days', 86_400_000],
  ] as const)('counts %s', (intervalUnit, milliseconds) => {
    expect(intervalMsOf({ interval: 3, intervalUnit })).toBe(3 * milliseconds);
  });

  it('is closed by the next ping, and has an expiry again', () => {
    expect(applyPing(overdue, at(25))).toMatchObject({ step: 2, lastPingAt: at(25), expiresAt: at(35) });
  });

  it('does not change by a ping while it is disabled (H2)', () => {
    const off = applyDisable(overdue, at(11));
    expect(applyPing(off, at(12))).toBe(off);
  });

  it('is as if pinged when it is enabled, whatever it was (H3)', () => {
    for (const before of [heartbeatOf({ enabled: false }), heartbeatOf(), waiting, overdue])
      for (const after of [applyEnable(before, at(30)), applyChange(before, { enabled: true }, at(30))]) {
        expect(after).toMatchObject({ enabled: true, lastPingAt: at(30), expiresAt: at(40) });
        expect(isExpired(after)).toBe(false);
      }
  });

  it('has its alert closed when it is disabled (H4)', () => {
    for (const after of [applyDisable(overdue, at(11)), applyChange(overdue, { enabled: false }, at(11))])
      expect(after).toMatchObject({ enabled: false, expiresAt: undefined, step: 2, steppedAt: at(11) });
    expect(applyDisable(waiting, at(5))).toMatchObject({ step: 0, expiresAt: undefined });
  });

  it('begins a new interval when its interval is written, of the new length (H2)', () => {
    expect(applyChange(waiting, { interval: 3 }, at(5))).toMatchObject({ expiresAt: at(8), lastPingAt: at(0) });
    expect(applyChange(waiting, { intervalUnit: 'hours' }, at(5)).expiresAt).toEqual(at(605));
    expect(applyChange(overdue, { interval: 10 }, at(12))).toMatchObject({ step: 2, expiresAt: at(22) });
  });

  it('gets no expiry by a new interval if it had none', () => {
    expect(applyChange(heartbeatOf(), { interval: 3 }, at(5))).toEqual(heartbeatOf({ interval: 3 }));
    const off = applyDisable(waiting, at(1));
    expect(applyChange(off, { interval: 3 }, at(5))).toEqual({ ...off, interval: 3 });
  });

  it('keeps what a change does not name, and its time where the interval is not named', () => {
    const change = { description: 'nightly', alertTags: ['db'], interval: undefined, alertMessage: undefined };
    expect(applyChange({ ...overdue, alertMessage: 'Gone' }, change, at(12))).toEqual({
      ...overdue,
      alertMessage: 'Gone',
      description: 'nightly',
      alertTags: ['db'],
    });
  });

  it('expires no sooner than an interval after an outage of Tocsin (H2)', () => {
    expect(dueAtOf(waiting, [outage(7, 7)])).toEqual(at(17));
    expect(applyExpiry(waiting, at(16), [outage(7, 7)])).toEqual({ ...waiting, nextDueAt: at(17) });
    expect(applyExpiry(waiting, at(17), [outage(7, 7)])).toMatchObject({ step: 1, steppedAt: at(17) });
  });

  it('expires once pings could be accepted for one interval since it was due, however often Tocsin was unavailable (H2)', () => {
    // Due at 10, put off by an outage until 9 to 19, and by shorter ones after that.
    const often = [outage(8, 9), outage(12, 14), outage(18, 19)];
    expect(dueAtOf(waiting, often)).toEqual(at(23));
    expect(dueAtOf(waiting, [...often, outage(21, 22)])).toEqual(at(24));
    expect(dueAtOf(waiting, [outage(8, 9), outage(12, 60)])).toEqual(at(68));
    expect(dueAtOf(waiting, [outage(8, 60)])).toEqual(at(70));
  });

  it('leaves its sender one interval after each outage, and waits for no more than one since it was due (H2)', () => {
    const anyOutages = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(30)), { maxLength: 20 });
    fc.assert(
      fc.property(anyOutages, (outages) => {
        const { sinceOutage, sinceDue } = expiryAmong(outages);
        expect(sinceDue).toBeLessThanOrEqual(10);
        expect(sinceOutage >= 10 || sinceDue === 10).toBe(true);
      }),
    );
  });

  it('that an outage put off is due by its next ping again', () => {
    const putOff = applyExpiry(waiting, at(16), [outage(7, 16)]);
    expect(putOff).toEqual({ ...waiting, nextDueAt: at(26) });
    expect(applyPing(putOff, at(20))).toMatchObject({ expiresAt: at(30), nextDueAt: at(30) });
    expect(applyEnable(putOff, at(12))).toMatchObject({ expiresAt: at(22), nextDueAt: at(22) });
  });
});

const minutes = fc.integer({ min: 0, max: 500 });
const act = fc.oneof(
  fc.record({ kind: fc.constant('ping'), at: minutes }),
  fc.record({ kind: fc.constant('expire'), at: minutes }),
);
const applied = (heartbeat: Heartbeat, { kind, at: minute }: { kind: string; at: number }): Heartbeat =>
  kind === 'ping' ? applyPing(heartbeat, at(minute)) : applyExpiry(heartbeat, at(minute), NEVER);

describe('a heartbeat, always', () => {
  it('is not expired before its interval has passed since the last ping', () => {
    fc.assert(
      fc.property(fc.array(act), fc.integer({ min: 1, max: 60 }), minutes, (acts, interval, last) => {
        const before = acts.reduce(applied, heartbeatOf({ interval }));
        const after = applyPing(before, at(last + 501));
        const almost = new Date(at(last + 501 + interval).getTime() - 1);
        expect(isExpired(applyExpiry(after, almost, NEVER))).toBe(false);
        expect(isExpired(applyExpiry(after, at(last + 501 + interval), NEVER))).toBe(true);
      }),
    );
  });

  it('ends as the last instant says, in whatever order pings and looks come', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 1 }), (acts) => {
        const end = [...acts, { kind: 'expire', at: 600 }];
        const [given, sorted] = [end, end.toSorted((a, b) => a.at - b.at)].map((order) =>
          order.reduce(applied, heartbeatOf()),
        );
        // A ping that comes after its own interval was over is as good as none: the next look says so.
        const settled = [given, sorted].map((heartbeat) => heartbeat && applyExpiry(heartbeat, at(600), NEVER));
        const everPinged = acts.some(({ kind }) => kind === 'ping');
        expect(settled.map((heartbeat) => heartbeat && isExpired(heartbeat))).toEqual([everPinged, everPinged]);
        expect(settled[0]?.lastPingAt).toEqual(settled[1]?.lastPingAt);
        expect(settled[0]?.expiresAt).toEqual(settled[1]?.expiresAt);
      }),
    );
  });

  it('opens and closes its alert alternately, each step once', () => {
    const wide = fc.record({ kind: fc.constantFrom('ping', 'expire', 'enable', 'disable', 'interval'), at: minutes });
    fc.assert(
      fc.property(fc.array(wide), (acts) => {
        let heartbeat = heartbeatOf();
        for (const { kind, at: minute } of acts) {
          const moment = at(minute);
          const next = {
            ping: () => applyPing(heartbeat, moment),
            expire: () => applyExpiry(heartbeat, moment, NEVER),
            enable: () => applyEnable(heartbeat, moment),
            disable: () => applyDisable(heartbeat, moment),
            interval: () => applyChange(heartbeat, { interval: 5 }, moment),
          }[kind]();
          expect(next.step - heartbeat.step).toBe(isExpired(next) === isExpired(heartbeat) ? 0 : 1);
          expect(isExpired(next) && next.expiresAt !== undefined).toBe(false);
          expect(next.nextDueAt).toEqual(next.expiresAt);
          heartbeat = next;
        }
        expect(heartbeat.createdAt).toBe(START);
      }),
    );
  });
});

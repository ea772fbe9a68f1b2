import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rotationOf } from '../testing/on-call-samples.ts';
import type { Rotation } from '../schedules/schedule.ts';
import { WallClock } from '@tocsin/rules';
import { aRotation, aZone, NORMAL, runs } from '../testing/random-schedules.ts';
import { DAY_MS, HOUR_MS, unite } from './span.ts';
import { Turns } from './turns.ts';

const at = (iso: string) => Date.parse(iso);
const daily = (over: Partial<Rotation> = {}) =>
  rotationOf([{ type: 'none' }], { startAt: new Date('2026-03-01T14:00:00Z'), ...over });

const cases = fc
  .tuple(aZone, fc.oneof(fc.integer({ min: 0, max: 3 * DAY_MS }), fc.integer({ min: 0, max: 8_000 * DAY_MS })))
  .chain(([zone, later]) =>
    aRotation(zone).map((rotation) => ({
      zone,
      rotation: { ...rotation, endAt: undefined },
      instant: rotation.startAt.getTime() + later,
    })),
  );

describe('the turns of a rotation', () => {
  it('cover every instant from the start on, the first turn from the start itself', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, instant }) => {
        const turns = new Turns(rotation, zone);
        const turn = turns.at(instant);
        expect(turn?.from).toBeLessThanOrEqual(instant);
        expect(turn?.until).toBeGreaterThan(instant);
        const start = rotation.startAt.getTime();
        expect(turns.at(start)).toMatchObject({ index: 0, from: start });
        expect(turns.at(start - 1)).toBeUndefined();
      }),
      runs(NORMAL),
    );
  });

  it('leave no gap and do not overlap', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, instant }) => {
        const turns = new Turns(rotation, zone);
        const turn = turns.at(instant);
        const next = turn && turns.at(turn.until);
        expect(next?.from).toBe(turn?.until);
        expect(next).toEqual(turn && turns.after(turn));
        expect(next?.index).toBeGreaterThan(turn?.index ?? Infinity);
      }),
      runs(NORMAL),
    );
  });

  it('are listed for a range exactly as they are found one by one', () => {
    const lengths = fc.integer({ min: 1, max: 60 * DAY_MS });
    fc.assert(
      fc.property(cases, lengths, ({ rotation, zone, instant }, length) => {
        const turns = new Turns(rotation, zone);
        const listed = [...turns.during({ from: instant, until: instant + length })];
        expect(listed[0]).toEqual(turns.at(instant));
        expect(listed.at(-1)).toEqual(turns.at(instant + length - 1));
        expect(listed.slice(1).filter((turn, index) => turn.from !== listed[index]?.until)).toEqual([]);
      }),
      runs(NORMAL),
    );
  });

  it('fill the time from the start of the rotation to its end, and no more', () => {
    const hours = fc.integer({ min: 1, max: 40 * 24 });
    fc.assert(
      fc.property(cases, hours, ({ rotation, zone }, lasts) => {
        const [from, until] = [rotation.startAt.getTime(), rotation.startAt.getTime() + lasts * HOUR_MS];
        const ending = { ...rotation, endAt: new Date(until) };
        const turns = [...new Turns(ending, zone).during({ from: from - DAY_MS, until: until + DAY_MS })];
        expect(unite(turns)).toEqual([{ from, until }]);
        expect(turns.reduce((sum, turn) => sum + turn.until - turn.from, 0)).toBe(until - from);
      }),
      runs(NORMAL),
    );
  });

  it('keep the wall-clock time of hand-offs wherever that time exists', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, instant }) => {
        const clock = WallClock.of(zone);
        const turn = new Turns(rotation, zone).at(instant);
        const handOff = turn?.until ?? NaN;
        const step = { hourly: HOUR_MS, daily: DAY_MS, weekly: 7 * DAY_MS }[rotation.type] * rotation.length;
        const late = clock.at(handOff) - (clock.at(rotation.startAt.getTime()) + ((turn?.index ?? 0) + 1) * step);
        // Off the grid only where the clocks have just jumped over the hand-off.
        const jumped = clock.at(handOff) - clock.at(handOff - 1) - 1;
        expect(late === 0 || (late > 0 && late <= jumped)).toBe(true);
      }),
      runs(NORMAL),
    );
  });

  it('of one day are those of 24 hours, and of one week those of seven days', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, instant }) => {
        const turn = (type: Rotation['type'], length: number) =>
          new Turns({ ...rotation, type, length }, zone).at(instant);
        expect(turn('daily', 1)).toEqual(turn('hourly', 24));
        expect(turn('weekly', 1)).toEqual(turn('daily', 7));
        expect(turn('weekly', 1)).toEqual(turn('hourly', 168));
      }),
      runs(NORMAL),
    );
  });

  it('last 23 hours across the skipped hour and 25 across the repeated one', () => {
    const turns = new Turns(daily(), 'America/New_York');
    const hours = (instant: string) => {
      const turn = turns.at(at(instant));
      return turn && (turn.until - turn.from) / HOUR_MS;
    };
    expect(hours('2026-03-08T06:00:00Z')).toBe(23);
    expect(hours('2026-03-09T06:00:00Z')).toBe(24);
    expect(hours('2026-11-01T06:00:00Z')).toBe(25);
  });

  it('of an hour make one long turn of the repeated hour', () => {
    const hourly = new Turns(daily({ type: 'hourly', startAt: new Date('2026-11-01T04:00:00Z') }), 'America/New_York');
    expect(hourly.at(at('2026-11-01T06:45:00Z'))).toEqual({
      index: 1,
      from: at('2026-11-01T05:00:00Z'),
      until: at('2026-11-01T07:00:00Z'),
    });
  });

  it('go on hour by hour in a rotation that starts while two hours are repeated', () => {
    const hourly = new Turns(daily({ type: 'hourly', startAt: new Date('2026-10-25T01:00:00Z') }), 'Antarctica/Troll');
    const found = [...hourly.during({ from: at('2026-10-25T01:00:00Z'), until: at('2026-10-25T04:00:00Z') })];
    expect(found.map(({ index, from }) => [index, new Date(from).toISOString()])).toEqual([
      [0, '2026-10-25T01:00:00.000Z'],
      [1, '2026-10-25T02:00:00.000Z'],
      [2, '2026-10-25T03:00:00.000Z'],
    ]);
  });

  it('end with the rotation, whose end is exclusive', () => {
    const turns = new Turns(daily({ endAt: new Date('2026-03-03T00:00:00Z') }), 'UTC');
    const last = turns.at(at('2026-03-02T23:59:59.999Z'));
    expect(last?.until).toBe(at('2026-03-03T00:00:00Z'));
    expect(last && turns.after(last)).toBeUndefined();
    expect(turns.at(at('2026-03-03T00:00:00Z'))).toBeUndefined();
  });

  it('are found as quickly ten centuries after the start as on the first day', () => {
    const old = new Turns(daily({ type: 'hourly', startAt: new Date('1970-01-01T00:00:00Z') }), 'UTC');
    expect(old.at(at('2970-01-01T00:30:00Z'))?.from).toBe(at('2970-01-01T00:00:00Z'));
  });
});

describe('the neighbour of a turn', () => {
  it('is the turn before or after, also before the first', () => {
    const turns = new Turns(daily(), 'UTC');
    expect([turns.neighbour(5, 1), turns.neighbour(5, -1), turns.neighbour(0, -1)]).toEqual([6, 4, -1]);
  });

  it('is not one that a skipped hour leaves without any time', () => {
    const hourly = new Turns(daily({ type: 'hourly', startAt: new Date('2026-03-08T05:00:00Z') }), 'America/New_York');
    expect(hourly.at(at('2026-03-08T06:30:00Z'))?.index).toBe(1);
    expect([hourly.neighbour(1, 1), hourly.neighbour(3, -1)]).toEqual([3, 1]);
  });
});

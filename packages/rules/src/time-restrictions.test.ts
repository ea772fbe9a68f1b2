import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WEEKDAYS, type TimeRestriction } from '@tocsin/events';
import fc from 'fast-check';
import { compileTimeRestriction } from './time-restrictions.ts';
import { WallWalk } from './testing/wall-walk.ts';

type Weekday = (typeof WEEKDAYS)[number];

const clockTime = (time: string) => time.split(':').map(Number) as [number, number];
const daily = (start: string, end: string): TimeRestriction => {
  const [[startHour, startMin], [endHour, endMin]] = [clockTime(start), clockTime(end)];
  return { type: 'time-of-day', restriction: { startHour, startMin, endHour, endMin } };
};
const weekly = (startDay: Weekday, start: string, endDay: Weekday, end: string): TimeRestriction => {
  const [[startHour, startMin], [endHour, endMin]] = [clockTime(start), clockTime(end)];
  return {
    type: 'weekday-and-time-of-day',
    restrictions: [{ startDay, startHour, startMin, endDay, endHour, endMin }],
  };
};
const holds = (restriction: TimeRestriction | undefined, zone: string, at: string) =>
  compileTimeRestriction(restriction, zone)(new Date(at));

describe('a time restriction', () => {
  // 2026-05-04 is a Monday.
  it.each([
    ['begins with its first instant', daily('09:00', '17:00'), '2026-05-05T09:00:00Z', true],
    ['holds to the instant before its end', daily('09:00', '17:00'), '2026-05-05T16:59:59.999Z', true],
    ['is over at its end', daily('09:00', '17:00'), '2026-05-05T17:00:00Z', false],
    ['has not begun before its start', daily('09:00', '17:00'), '2026-05-05T08:59:59.999Z', false],
    ['crosses midnight: before it', daily('22:00', '06:00'), '2026-05-05T22:00:00Z', true],
    ['crosses midnight: after it', daily('22:00', '06:00'), '2026-05-06T05:59:59Z', true],
    ['crosses midnight: by day', daily('22:00', '06:00'), '2026-05-06T06:00:00Z', false],
    ['is all day when it ends as it starts', daily('08:00', '08:00'), '2026-05-05T03:00:00Z', true],
    ['spans days of the week', weekly('monday', '09:00', 'friday', '17:00'), '2026-05-06T03:00:00Z', true],
    ['ends with its last day', weekly('monday', '09:00', 'friday', '17:00'), '2026-05-08T17:00:00Z', false],
    ['wraps the week: Sunday', weekly('friday', '17:00', 'monday', '09:00'), '2026-05-10T23:59:59Z', true],
    ['wraps the week: Monday', weekly('friday', '17:00', 'monday', '09:00'), '2026-05-11T08:59:59Z', true],
    ['wraps the week: from its end on', weekly('friday', '17:00', 'monday', '09:00'), '2026-05-11T09:00:00Z', false],
    ['wraps the week on one day', weekly('tuesday', '17:00', 'tuesday', '09:00'), '2026-05-04T12:00:00Z', true],
    ['leaves out the gap of one day', weekly('tuesday', '17:00', 'tuesday', '09:00'), '2026-05-05T12:00:00Z', false],
    [
      'is the whole week when it ends as it starts',
      weekly('friday', '9:00', 'friday', '9:00'),
      '2026-05-04T00:00Z',
      true,
    ],
    ['holds before the epoch as well', daily('22:00', '06:00'), '1969-12-31T23:00:00Z', true],
  ])('%s', (_, restriction, at, expected) => {
    expect(holds(restriction, 'UTC', at)).toBe(expected);
  });

  it('always holds when there is none', () => {
    expect(holds(undefined, 'Europe/Paris', '2026-05-05T09:00:00Z')).toBe(true);
  });

  it('is read on the wall clock of its zone, by any spelling of the name', () => {
    for (const zone of ['Asia/Kathmandu', 'asia/kathmandu', 'Asia/Katmandu']) {
      expect(holds(daily('09:00', '17:00'), zone, '2026-05-05T03:15:00Z')).toBe(true);
      expect(holds(daily('09:00', '17:00'), zone, '2026-05-05T03:14:59Z')).toBe(false);
    }
  });

  // New York goes from 02:00 to 03:00 on 2026-03-08 at 07:00Z, and from 02:00 back to 01:00 on 2026-11-01 at 06:00Z.
  it.each([
    ['a start in the gap is the instant after', daily('02:30', '05:00'), '2026-03-08T07:00:00Z', true],
    ['a start in the gap is not before', daily('02:30', '05:00'), '2026-03-08T06:59:59Z', false],
    ['an end in the gap is the instant after', daily('01:00', '02:30'), '2026-03-08T06:59:59Z', true],
    ['from an end in the gap on it is over', daily('01:00', '02:30'), '2026-03-08T07:00:00Z', false],
    ['what lies in the gap has no time', daily('02:10', '02:50'), '2026-03-08T07:00:00Z', false],
    ['a repeated start is the first', daily('01:30', '05:00'), '2026-11-01T05:30:00Z', true],
    ['a repeated start stays begun', daily('01:30', '05:00'), '2026-11-01T06:00:00Z', true],
    ['a repeated end is not the first', daily('00:00', '01:30'), '2026-11-01T06:00:00Z', true],
    ['a repeated end is the last', daily('00:00', '01:30'), '2026-11-01T06:30:00Z', false],
    ['a span inside of the repeated hour goes to its last end', daily('01:10', '01:20'), '2026-11-01T06:15:00Z', true],
    ['an end where the repeat begins is its last showing', daily('00:00', '01:00'), '2026-11-01T05:59:59Z', true],
    ['a start where the repeat is over is its only showing', daily('02:00', '03:00'), '2026-11-01T06:00:00Z', false],
  ])('%s (S2)', (_, restriction, at, expected) => {
    expect(holds(restriction, 'America/New_York', at)).toBe(expected);
  });
});

/** Clocks change by night. */
const hour = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 23 }));
const minute = fc.oneof(fc.constantFrom(0, 30), fc.integer({ min: 0, max: 59 }));
const times = { startHour: hour, startMin: minute, endHour: hour, endMin: minute };
const day = fc.constantFrom(...WEEKDAYS);
const restrictions: fc.Arbitrary<TimeRestriction> = fc.oneof(
  fc.record({ type: fc.constant('time-of-day' as const), restriction: fc.record(times) }),
  fc.record({
    type: fc.constant('weekday-and-time-of-day' as const),
    restrictions: fc.array(fc.record({ startDay: day, endDay: day, ...times }), { minLength: 1, maxLength: 15 }),
  }),
);

describe('a time restriction of any form', () => {
  beforeAll(() => {
    jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['America/Chicago', '2026-03-08'],
    ['America/Chicago', '2026-11-01'],
    ['Europe/Paris', '2026-03-29'],
    ['Europe/Paris', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Africa/Casablanca', '2025-02-23'],
    ['Africa/Casablanca', '2025-04-06'],
    ['Asia/Kathmandu', '1986-01-01'],
    ['Pacific/Apia', '2011-12-30'],
    ['UTC', '2026-03-29'],
  ])('agrees in %s, minute by minute around %s, with a walk along the wall clock', (zone, date) => {
    const walk = new WallWalk(zone, date);
    fc.assert(
      fc.property(restrictions, (restriction) => {
        const covers = compileTimeRestriction(restriction, zone);
        expect(walk.disagreement(restriction, covers)).toBeUndefined();
      }),
      { numRuns: 25 },
    );
  });

  it('never throws, whatever the instant and the zone', () => {
    const zones = fc.oneof(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), fc.string());
    const limits = fc.constantFrom(8.64e15, -8.64e15, 8.64e15 - 1, Number.NaN).map((ms) => new Date(ms));
    fc.assert(
      fc.property(restrictions, zones, fc.oneof(fc.date(), limits), (restriction, zone, at) => {
        expect(typeof compileTimeRestriction(restriction, zone)(at)).toBe('boolean');
      }),
    );
  });

  it('is outside at an invalid date, and that of UTC in an unknown zone', () => {
    expect(compileTimeRestriction(daily('00:00', '00:00'), 'UTC')(new Date(Number.NaN))).toBe(false);
    expect(holds(daily('09:00', '10:00'), 'Nowhere/City', '2026-05-05T09:30:00Z')).toBe(true);
  });

  it('does not depend on what it was asked before', () => {
    const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    const zones = fc.constantFrom('America/Chicago', 'Australia/Lord_Howe', 'Africa/Casablanca');
    fc.assert(
      fc.property(restrictions, zones, fc.array(instants), (restriction, zone, list) => {
        const covers = compileTimeRestriction(restriction, zone);
        const forwards = list.map(covers);
        expect([...list].reverse().map(covers).reverse()).toEqual(forwards);
      }),
    );
  });
});

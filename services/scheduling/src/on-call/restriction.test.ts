import { describe, expect, it } from '@jest/globals';
import type { TimeRestriction } from '@tocsin/events';
import fc from 'fast-check';
import { TICK_MS, walkedClock, walkRestriction } from '../testing/plain-walk.ts';
import { aRestriction, aZone, NORMAL, runs } from '../testing/random-schedules.ts';
import { Restriction } from './restriction.ts';
import { covers, DAY_MS } from './span.ts';

const timeOfDay = (from: string, to: string): TimeRestriction => {
  const [startHour = 0, startMin = 0] = from.split(':').map(Number);
  const [endHour = 0, endMin = 0] = to.split(':').map(Number);
  return { type: 'time-of-day', restriction: { startHour, startMin, endHour, endMin } };
};
const holds = (restriction: TimeRestriction, zone: string, instant: string) =>
  new Restriction(restriction, zone).covers(Date.parse(instant));
const drawn = (restriction: TimeRestriction, zone: string, from: string, until: string) =>
  new Restriction(restriction, zone)
    .during({ from: Date.parse(from), until: Date.parse(until) })
    .map((span) => [new Date(span.from).toISOString().slice(0, 16), new Date(span.until).toISOString().slice(0, 16)]);

describe('a time-of-day restriction', () => {
  it('includes its start and excludes its end', () => {
    const office = timeOfDay('09:00', '17:30');
    expect(holds(office, 'UTC', '2026-05-05T08:59:59.999Z')).toBe(false);
    expect(holds(office, 'UTC', '2026-05-05T09:00:00Z')).toBe(true);
    expect(holds(office, 'UTC', '2026-05-05T17:29:59.999Z')).toBe(true);
    expect(holds(office, 'UTC', '2026-05-05T17:30:00Z')).toBe(false);
  });

  it('crosses midnight when it ends before it starts', () => {
    expect(drawn(timeOfDay('22:00', '06:00'), 'UTC', '2026-05-05T00:00Z', '2026-05-07T00:00Z')).toEqual([
      ['2026-05-05T00:00', '2026-05-05T06:00'],
      ['2026-05-05T22:00', '2026-05-06T06:00'],
      ['2026-05-06T22:00', '2026-05-07T00:00'],
    ]);
  });

  it('lasts all day when it ends where it starts', () => {
    expect(drawn(timeOfDay('09:00', '09:00'), 'Europe/Paris', '2026-10-20T00:00Z', '2026-11-01T00:00Z')).toEqual([
      ['2026-10-20T00:00', '2026-11-01T00:00'],
    ]);
  });

  it('begins at the first and ends at the last showing of a repeated time', () => {
    const around = (restriction: TimeRestriction) =>
      drawn(restriction, 'America/New_York', '2026-11-01T04:00Z', '2026-11-01T12:00Z');
    expect(around(timeOfDay('01:30', '03:00'))).toEqual([['2026-11-01T05:30', '2026-11-01T08:00']]);
    expect(around(timeOfDay('00:30', '01:30'))).toEqual([['2026-11-01T04:30', '2026-11-01T06:30']]);
    expect(around(timeOfDay('01:00', '01:30'))).toEqual([['2026-11-01T05:00', '2026-11-01T06:30']]);
  });

  it('begins or ends after the skipped span that has its start or end, and is left out on a skipped day', () => {
    const around = (restriction: TimeRestriction) =>
      drawn(restriction, 'America/New_York', '2026-03-08T05:00Z', '2026-03-08T12:00Z');
    expect(around(timeOfDay('02:30', '05:00'))).toEqual([['2026-03-08T07:00', '2026-03-08T09:00']]);
    expect(around(timeOfDay('01:00', '02:30'))).toEqual([['2026-03-08T06:00', '2026-03-08T07:00']]);
    expect(around(timeOfDay('02:00', '02:30'))).toEqual([]);
  });
});

describe('a weekday restriction', () => {
  const span = (startDay: 'monday' | 'friday', endDay: 'monday' | 'friday', startHour: number, endHour: number) =>
    ({
      type: 'weekday-and-time-of-day',
      restrictions: [{ startDay, endDay, startHour, startMin: 0, endHour, endMin: 0 }],
    }) satisfies TimeRestriction;

  it('may last over several days and wrap the week', () => {
    expect(drawn(span('friday', 'monday', 18, 9), 'UTC', '2026-05-04T00:00Z', '2026-05-18T00:00Z')).toEqual([
      ['2026-05-04T00:00', '2026-05-04T09:00'],
      ['2026-05-08T18:00', '2026-05-11T09:00'],
      ['2026-05-15T18:00', '2026-05-18T00:00'],
    ]);
  });

  it('wraps the whole week when it ends before it starts on one day', () => {
    expect(drawn(span('monday', 'monday', 18, 9), 'UTC', '2026-05-04T00:00Z', '2026-05-12T00:00Z')).toEqual([
      ['2026-05-04T00:00', '2026-05-04T09:00'],
      ['2026-05-04T18:00', '2026-05-11T09:00'],
      ['2026-05-11T18:00', '2026-05-12T00:00'],
    ]);
  });
});

describe('any restriction', () => {
  const instants = fc.integer({ min: Date.parse('2011-12-01T00:00Z'), max: Date.parse('2037-12-01T00:00Z') });

  it('covers exactly the instants that it draws', () => {
    fc.assert(
      fc.property(
        aRestriction,
        aZone,
        instants,
        fc.integer({ min: 0, max: 21 * DAY_MS }),
        (one, zone, from, offset) => {
          const restriction = new Restriction(one, zone);
          const spans = restriction.during({ from, until: from + 21 * DAY_MS });
          const edges = spans.flatMap((span) => [span.from, span.until, span.from - 1, span.until - 1]);
          const wrong = [from + offset, ...edges]
            .filter((edge) => edge >= from && edge < from + 21 * DAY_MS)
            .filter((edge) => restriction.covers(edge) !== spans.some((span) => covers(span, edge)));
          expect(wrong).toEqual([]);
        },
      ),
      runs(NORMAL),
    );
  });

  it('is active where a minute by minute check of the wall clock says so', () => {
    fc.assert(
      fc.property(aRestriction, aZone, instants, (one, zone, from) => {
        const clock = walkedClock(zone, from, 250);
        const restriction = new Restriction(one, zone);
        // The walk knows nothing of the clocks before and after it.
        const wrong = Array.from({ length: 130 }, (_, index) => index + 60).filter(
          (tick) => restriction.covers(clock.origin + tick * TICK_MS) !== walkRestriction(one, clock, tick),
        );
        expect(wrong).toEqual([]);
      }),
      runs(NORMAL),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { headingOf, lengthText, plusDays, ZoneCalendar, type Day } from './calendar.ts';

const start = (zone: string, year: number, month: number, day: number) =>
  new Date(new ZoneCalendar(zone).startOf({ year, month, day })).toISOString();

describe('the calendar of a zone', () => {
  it.each([
    ['UTC', 2026, 3, 2, '2026-03-02T00:00:00.000Z'],
    ['Europe/Paris', 2026, 3, 29, '2026-03-28T23:00:00.000Z'],
    ['Europe/Paris', 2026, 3, 30, '2026-03-29T22:00:00.000Z'],
    ['Pacific/Kiritimati', 2026, 1, 1, '2025-12-31T10:00:00.000Z'],
    ['Pacific/Pago_Pago', 2026, 1, 1, '2026-01-01T11:00:00.000Z'],
    ['Asia/Kathmandu', 2026, 1, 1, '2025-12-31T18:15:00.000Z'],
    // The clocks go from 0:00 to 1:00 there: the day begins at 1:00.
    ['Africa/Cairo', 2026, 4, 24, '2026-04-23T22:00:00.000Z'],
    // A day that was left out: what follows begins in its place.
    ['Pacific/Apia', 2011, 12, 30, '2011-12-30T10:00:00.000Z'],
  ])('in %s %i-%i-%i begins at its first instant', (zone, year, month, day, instant) => {
    expect(start(zone, year, month, day)).toBe(instant);
  });

  it('puts the beginning of a day into that day, and the instant before into an earlier one', () => {
    const zones = fc.constantFrom(
      'Europe/Paris',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'Asia/Tokyo',
    );
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 20_000 }), (zone, days) => {
        const calendar = new ZoneCalendar(zone);
        const day = plusDays({ year: 1990, month: 1, day: 1 }, days);
        const from = calendar.startOf(day);
        expect(calendar.dayOf(from)).toEqual(day);
        expect(calendar.dayOf(from - 1)).toEqual(plusDays(day, -1));
      }),
      { numRuns: 50 },
    );
  });

  it('knows no zone that there is not', () => {
    expect(() => new ZoneCalendar('Mars/Olympus')).toThrow(RangeError);
  });
});

describe('days and lengths in words', () => {
  it('names days', () => {
    const leapDay: Day = { year: 2028, month: 2, day: 29 };
    expect([headingOf(leapDay), headingOf(plusDays(leapDay, 1)), headingOf(plusDays(leapDay, -60))]).toEqual([
      ...['Tue 29 Feb', 'Wed 1 Mar', 'Fri 31 Dec'],
    ]);
  });

  it.each([
    [30_000, '1 min'],
    [1, 'less than a minute'],
    [3_600_000, '1 h'],
    [90 * 60_000, '1 h 30 min'],
    [27 * 3_600_000, '1 d 3 h'],
  ])('%i ms is %s', (ms, text) => {
    expect(lengthText(ms)).toBe(text);
  });
});

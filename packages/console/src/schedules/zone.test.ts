import { describe, expect, test } from '@jest/globals';
import { dateAt, DAY_MS, daysOf, firstInstantOf, HOUR_MS, hoursOf, instantsOf, midnightOf, wallOf } from './zone.ts';

const at = (text: string) => Date.parse(text);
/** A wall time, which is written as if it were UTC. */
const wall = (text: string) => Date.parse(`${text}Z`);
const iso = (instants: readonly number[]) => instants.map((each) => new Date(each).toISOString().slice(0, 16));

const BERLIN = 'Europe/Berlin';
/** Its clocks change by half an hour: on 5 April 2026 at 02:00 back, on 4 October 2026 at 02:00 forward. */
const LORD_HOWE = 'Australia/Lord_Howe';

describe('what clocks show', () => {
  test.each([
    [BERLIN, '2026-03-29T00:59:59.500Z', '2026-03-29T01:59:59.500'],
    [BERLIN, '2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00.000Z', '2026-01-01T05:45:00.000'],
    ['America/New_York', '1969-12-31T23:59:59.999Z', '1969-12-31T18:59:59.999'],
    [LORD_HOWE, '2026-04-04T15:00:00.000Z', '2026-04-05T01:30:00.000'],
  ])('In %s it is at %s %s.', (zone, instant, shown) => {
    expect(wallOf(at(instant), zone)).toBe(wall(shown));
  });

  test('A time that they skip is at no instant, and stands for the first one after it.', () => {
    expect(instantsOf(wall('2026-03-29T02:30:00'), BERLIN)).toEqual([]);
    expect(firstInstantOf(wall('2026-03-29T02:30:00'), BERLIN)).toBe(at('2026-03-29T01:00:00Z'));
    expect(firstInstantOf(wall('2026-10-04T02:10:00'), LORD_HOWE)).toBe(at('2026-10-03T15:30:00Z'));
  });

  test('A time that they show twice is at two instants.', () => {
    expect(iso(instantsOf(wall('2026-10-25T02:30:00'), BERLIN))).toEqual(['2026-10-25T00:30', '2026-10-25T01:30']);
    expect(iso(instantsOf(wall('2026-04-05T01:45:00'), LORD_HOWE))).toEqual(['2026-04-04T14:45', '2026-04-04T15:15']);
  });

  test('All other times are at one.', () => {
    expect(iso(instantsOf(wall('2026-03-29T01:59:00'), BERLIN))).toEqual(['2026-03-29T00:59']);
    expect(iso(instantsOf(wall('2026-03-29T03:00:00'), BERLIN))).toEqual(['2026-03-29T01:00']);
    expect(iso(instantsOf(wall('2026-10-25T03:00:00'), BERLIN))).toEqual(['2026-10-25T02:00']);
  });
});

describe('dates', () => {
  test('They are those of the calendar of the zone.', () => {
    expect(dateAt(at('2026-03-28T23:30:00Z'), BERLIN)).toBe('2026-03-29');
    expect(dateAt(at('2026-03-28T23:30:00Z'), 'America/New_York')).toBe('2026-03-28');
  });

  test.each(['', '2026-3-1', '2026-02-30', '2026-13-01', 'tomorrow'])('%p is none.', (text) => {
    expect(midnightOf(text)).toBeUndefined();
  });
});

describe('the days of a range', () => {
  const days = (zone: string, from: string, until: string) =>
    daysOf({ from: at(from), until: at(until) }, zone).map((day) => [day.date, (day.until - day.from) / HOUR_MS]);

  test('They have 23 and 25 hours where the clocks of the zone change.', () => {
    expect(days(BERLIN, '2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z')).toEqual([
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
    ]);
    expect(days(BERLIN, '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z')).toEqual([
      ['2026-10-24', 24],
      ['2026-10-25', 25],
      ['2026-10-26', 24],
    ]);
  });

  test('They have 23.5 and 24.5 hours where the clocks change by half an hour.', () => {
    expect(days(LORD_HOWE, '2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z')).toEqual([['2026-10-04', 23.5]]);
    expect(days(LORD_HOWE, '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z')).toEqual([['2026-04-05', 24.5]]);
  });

  test('A day whose midnight the clocks skip begins at one o’clock.', () => {
    const [day] = daysOf({ from: at('2026-09-06T04:00:00Z'), until: at('2026-09-07T03:00:00Z') }, 'America/Santiago');
    expect(day).toEqual({ date: '2026-09-06', from: at('2026-09-06T04:00:00Z'), until: at('2026-09-07T03:00:00Z') });
  });

  test('A day that the zone skips at the date line is none.', () => {
    expect(days('Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z')).toEqual([
      ['2011-12-29', 24],
      ['2011-12-31', 24],
    ]);
  });

  test('In another zone the first and the last are what the range has of them.', () => {
    expect(days('America/New_York', '2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z')).toEqual([
      ['2026-01-04', 5],
      ['2026-01-05', 19],
    ]);
  });

  test.each([BERLIN, LORD_HOWE, 'America/Santiago', 'Asia/Kathmandu'])(
    'In %s they fill a year without a hole, and each begins on its date.',
    (zone) => {
      const from = firstInstantOf(wall('2026-01-01T00:00:00'), zone);
      const until = firstInstantOf(wall('2027-01-01T00:00:00'), zone);
      const all = daysOf({ from, until }, zone);
      expect(all).toHaveLength(365);
      expect(all.map((day) => day.from)).toEqual([from, ...all.slice(0, -1).map((day) => day.until)]);
      expect(all.at(-1)?.until).toBe(until);
      expect(all.map((day) => dateAt(day.from, zone))).toEqual(all.map(({ date }) => date));
      expect(all.map((day) => dateAt(day.until - 1, zone))).toEqual(all.map(({ date }) => date));
    },
  );
});

describe('the full hours of a day', () => {
  const hours = (zone: string, date: string) => {
    const midnight = wall(`${date}T00:00:00`);
    const day = { date, from: firstInstantOf(midnight, zone), until: firstInstantOf(midnight + DAY_MS, zone) };
    return hoursOf(day, zone);
  };

  test('There are as many as the clocks show.', () => {
    expect(hours(BERLIN, '2026-03-29')).toHaveLength(23);
    expect(hours(BERLIN, '2026-10-25')).toHaveLength(25);
    expect(hours(BERLIN, '2026-07-01')).toHaveLength(24);
  });

  test('Where the clocks change by half an hour, they stay full hours of the clock.', () => {
    expect(iso(hours(LORD_HOWE, '2026-04-05').slice(1, 4))).toEqual([
      '2026-04-04T14:00',
      '2026-04-04T15:30',
      '2026-04-04T16:30',
    ]);
    expect(iso(hours(LORD_HOWE, '2026-10-04').slice(1, 4))).toEqual([
      '2026-10-03T14:30',
      '2026-10-03T16:00',
      '2026-10-03T17:00',
    ]);
  });
});

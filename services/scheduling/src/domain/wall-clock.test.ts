import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { snapped, WallClock } from './wall-clock.ts';

const zones = fc.constantFrom(
  'UTC',
  'Europe/Istanbul',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Antarctica/Troll',
);
const instants = fc.date({ min: new Date('1905-01-01'), max: new Date('2105-01-01'), noInvalidDate: true });
const at = (iso: string) => new Date(iso);
const newYork = WallClock.of('America/New_York');
const wall = (iso: string) => Date.parse(`${iso}Z`);

describe('WallClock', () => {
  it('shows what Temporal says that the clocks show', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const shown = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
        const expected = shown.toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds;
        expect(WallClock.of(zone).at(instant.getTime())).toBe(expected);
      }),
    );
  });

  it.each(['2026-03-08T02:00', '2026-03-08T02:30', '2026-03-08T03:00'])(
    'moves %s, which New York skips or reaches by skipping, to the first instant after the skipped span',
    (skipped) => {
      expect(newYork.first(wall(skipped))).toBe(Date.parse('2026-03-08T07:00:00Z'));
      expect(newYork.last(wall(skipped))).toBe(Date.parse('2026-03-08T07:00:00Z'));
    },
  );

  it('tells the first of two showings from the last', () => {
    expect(newYork.first(wall('2026-11-01T01:30'))).toBe(Date.parse('2026-11-01T05:30:00Z'));
    expect(newYork.last(wall('2026-11-01T01:30'))).toBe(Date.parse('2026-11-01T06:30:00Z'));
    expect(newYork.first(wall('2026-11-01T02:00'))).toBe(newYork.last(wall('2026-11-01T02:00')));
  });

  it('moves every time of the day that Apia lost to the next day', () => {
    const apia = WallClock.of('Pacific/Apia');
    for (const lost of ['2011-12-30T00:00', '2011-12-30T09:30', '2011-12-30T23:59'])
      expect(apia.first(wall(lost))).toBe(Date.parse('2011-12-30T10:00:00Z'));
  });

  it('shows again what it was asked for, first and last, wherever that time exists', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const clock = WallClock.of(zone);
        const shown = clock.at(instant.getTime());
        expect(clock.at(clock.first(shown))).toBe(shown);
        expect(clock.at(clock.last(shown))).toBe(shown);
        expect(clock.first(shown)).toBeLessThanOrEqual(instant.getTime());
        expect(clock.last(shown)).toBeGreaterThanOrEqual(instant.getTime());
      }),
    );
  });

  it('never goes back: a later time on the wall has no earlier first or last instant', () => {
    const minutes = fc.integer({ min: 0, max: 3_000 });
    fc.assert(
      fc.property(instants, minutes, zones, (instant, later, zone) => {
        const clock = WallClock.of(zone);
        const [early, late] = [instant.getTime(), instant.getTime() + later * 60_000];
        expect(clock.first(early)).toBeLessThanOrEqual(clock.first(late));
        expect(clock.last(early)).toBeLessThanOrEqual(clock.last(late));
        expect(clock.first(early)).toBeLessThanOrEqual(clock.last(early));
      }),
    );
  });
});

describe('snapped', () => {
  it.each([
    ['08:14:59', '08:00:00'],
    ['08:15:00', '08:30:00'],
    ['08:44:59', '08:30:00'],
    ['08:45:00', '09:00:00'],
    ['08:00:59', '08:00:00'],
  ])('takes %s to %s', (from, to) => {
    expect(snapped(at(`2026-05-05T${from}Z`), 'UTC')).toEqual(at(`2026-05-05T${to}Z`));
  });

  it('takes 23:45 to the next day', () => {
    expect(snapped(at('2026-05-05T23:45:00Z'), 'UTC')).toEqual(at('2026-05-06T00:00:00Z'));
  });

  it('snaps on the wall clock of the zone, not on that of UTC', () => {
    expect(snapped(at('2026-05-05T08:00:00Z'), 'Asia/Kathmandu')).toEqual(at('2026-05-05T08:15:00Z'));
  });

  it('keeps the second showing of a repeated hour', () => {
    expect(snapped(at('2026-11-01T06:30:00Z'), 'America/New_York')).toEqual(at('2026-11-01T06:30:00Z'));
    expect(snapped(at('2026-11-01T06:20:00Z'), 'America/New_York')).toEqual(at('2026-11-01T06:30:00Z'));
  });

  it('moves to the first instant after a skipped span when the grid leads into it', () => {
    expect(snapped(at('2026-03-08T06:50:00Z'), 'America/New_York')).toEqual(at('2026-03-08T07:00:00Z'));
  });

  it('snaps once: what is snapped stays', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const once = snapped(instant, zone);
        expect(snapped(once, zone)).toEqual(once);
        expect(Math.abs(WallClock.of(zone).at(once.getTime()) % 1_800_000)).toBe(0);
      }),
    );
  });
});

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { WallClock } from './wall-clock.ts';

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
const newYork = WallClock.of('America/New_York');
const wall = (iso: string) => Date.parse(`${iso}Z`);

describe('WallClock', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('shows UTC where the zone is unknown, and says so once', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
    for (let times = 0; times < 2; times += 1) expect(WallClock.of('IST').at(5)).toBe(5);
    expect(warned.mock.calls).toEqual([['There is no time zone [IST]: its clocks show UTC.', 'UnknownTimeZone']]);
  });

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

  it('distinguishes the first of two showings from the last', () => {
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

  it('has begun a time once its first showing has come, and is over it once its last has', () => {
    const around = fc.integer({ min: -3_000, max: 3_000 });
    fc.assert(
      fc.property(instants, around, zones, (instant, minutes, zone) => {
        const clock = WallClock.of(zone);
        const wall = clock.at(instant.getTime()) + minutes * 60_000;
        expect(wall <= clock.latestBegun(instant.getTime())).toBe(clock.first(wall) <= instant.getTime());
        expect(wall <= clock.latestOver(instant.getTime())).toBe(clock.last(wall) <= instant.getTime());
      }),
    );
  });

  it('has begun a skipped time, and is over it, at the first instant after the skipped span', () => {
    const change = Date.parse('2026-03-08T07:00:00Z');
    for (const latest of [newYork.latestBegun(change - 1), newYork.latestOver(change - 1)])
      expect(latest).toBe(wall('2026-03-08T02:00') - 1);
    for (const latest of [newYork.latestBegun(change), newYork.latestOver(change)])
      expect(latest).toBe(wall('2026-03-08T03:00'));
  });

  it('is that of UTC in an unknown zone, and answers to the ends of time', () => {
    expect(WallClock.of('Moon/Sea of Rains').at(0)).toBe(0);
    for (const end of [-8.64e15, 8.64e15]) expect(Math.abs(newYork.at(end) - end)).toBeLessThan(26 * 3_600_000);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WallClock } from '@tocsin/rules';
import { snapToHalfHour } from './schedule.ts';

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

describe('snapToHalfHour', () => {
  it.each([
    ['08:14:59', '08:00:00'],
    ['08:15:00', '08:30:00'],
    ['08:44:59', '08:30:00'],
    ['08:45:00', '09:00:00'],
    ['08:00:59', '08:00:00'],
  ])('takes %s to %s', (from, to) => {
    expect(snapToHalfHour(at(`2026-05-05T${from}Z`), 'UTC')).toEqual(at(`2026-05-05T${to}Z`));
  });

  it('moves 23:45 to the next day', () => {
    expect(snapToHalfHour(at('2026-05-05T23:45:00Z'), 'UTC')).toEqual(at('2026-05-06T00:00:00Z'));
  });

  it('snaps on the wall clock of the zone, not on that of UTC', () => {
    expect(snapToHalfHour(at('2026-05-05T08:00:00Z'), 'Asia/Kathmandu')).toEqual(at('2026-05-05T08:15:00Z'));
  });

  it('keeps the second showing of a repeated hour', () => {
    expect(snapToHalfHour(at('2026-11-01T06:30:00Z'), 'America/New_York')).toEqual(at('2026-11-01T06:30:00Z'));
    expect(snapToHalfHour(at('2026-11-01T06:20:00Z'), 'America/New_York')).toEqual(at('2026-11-01T06:30:00Z'));
  });

  it('moves to the first instant after a skipped span when the grid leads into it', () => {
    expect(snapToHalfHour(at('2026-03-08T06:50:00Z'), 'America/New_York')).toEqual(at('2026-03-08T07:00:00Z'));
  });

  it('snaps once: a snapped time stays', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const once = snapToHalfHour(instant, zone);
        expect(snapToHalfHour(once, zone)).toEqual(once);
        expect(Math.abs(WallClock.of(zone).at(once.getTime()) % 1_800_000)).toBe(0);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { delayEnd } from './effects.ts';
import { DELAY_OPTIONS, type DelayDay } from './policy.ts';

const DAYS = DELAY_OPTIONS.filter((option): option is DelayDay => option !== 'for-duration');
const ROME = 'Europe/Rome';
const day = (option: DelayDay, untilHour: number, untilMinute = 0) => ({ option, untilHour, untilMinute });
const ends = (delay: Parameters<typeof delayEnd>[0], at: string, zone = 'UTC') =>
  delayEnd(delay, new Date(at), zone).toISOString();

describe('the end of a delay (P6)', () => {
  it.each([
    [{ timeAmount: 90, timeUnit: 'seconds' } as const, '2026-01-05T08:01:30.000Z'],
    [{ timeAmount: 2, timeUnit: 'hours' } as const, '2026-01-05T10:00:00.000Z'],
  ])('comes a duration of %j after the acceptance', (duration, end) => {
    expect(ends({ option: 'for-duration', duration }, '2026-01-05T08:00:00.000Z')).toBe(end);
  });

  // 2026-01-05 is a Monday.
  it.each([
    ['next-time', '2026-01-05T09:30:00.000Z'],
    ['next-weekday', '2026-01-05T09:30:00.000Z'],
    ['next-monday', '2026-01-05T09:30:00.000Z'],
    ['next-tuesday', '2026-01-06T09:30:00.000Z'],
    ['next-wednesday', '2026-01-07T09:30:00.000Z'],
    ['next-thursday', '2026-01-08T09:30:00.000Z'],
    ['next-friday', '2026-01-09T09:30:00.000Z'],
    ['next-saturday', '2026-01-10T09:30:00.000Z'],
    ['next-sunday', '2026-01-11T09:30:00.000Z'],
  ] as const)('of %s is on the same day while its time is still to come', (option, end) => {
    expect(ends(day(option, 9, 30), '2026-01-05T08:00:00.000Z')).toBe(end);
  });

  it.each([
    ['next-time', '2026-01-06T08:00:00.000Z'],
    ['next-weekday', '2026-01-06T08:00:00.000Z'],
    ['next-monday', '2026-01-12T08:00:00.000Z'],
    ['next-tuesday', '2026-01-06T08:00:00.000Z'],
  ] as const)('of %s is never at the acceptance itself', (option, end) => {
    expect(ends(day(option, 8), '2026-01-05T08:00:00.000Z')).toBe(end);
  });

  it('of next-weekday skips Saturday and Sunday', () => {
    const end = '2026-01-12T09:00:00.000Z';
    const at = ['2026-01-09T10:00:00.000Z', '2026-01-10T03:00:00.000Z', '2026-01-11T23:59:59.999Z'];
    expect(at.map((instant) => ends(day('next-weekday', 9), instant))).toEqual([end, end, end]);
  });

  it('takes days and times from the wall clock of the zone', () => {
    // Already Tuesday in Auckland, still Sunday in Honolulu.
    expect(ends(day('next-tuesday', 23), '2026-01-05T11:30:00.000Z', 'Pacific/Auckland')).toBe(
      '2026-01-06T10:00:00.000Z',
    );
    expect(ends(day('next-sunday', 23), '2026-01-05T09:30:00.000Z', 'Pacific/Honolulu')).toBe(
      '2026-01-12T09:00:00.000Z',
    );
  });

  it('is next Monday 08:30 on the wall clock, even if the clocks change before', () => {
    expect(ends(day('next-monday', 8, 30), '2026-03-27T12:00:00.000Z', ROME)).toBe('2026-03-30T06:30:00.000Z');
    expect(ends(day('next-monday', 8, 30), '2026-10-23T12:00:00.000Z', ROME)).toBe('2026-10-26T07:30:00.000Z');
  });

  it('is the first instant after a time that the clocks skip', () => {
    expect(ends(day('next-time', 2, 30), '2026-03-28T12:00:00.000Z', ROME)).toBe('2026-03-29T01:00:00.000Z');
    // An alert accepted at that instant waits for the next day.
    expect(ends(day('next-time', 2, 30), '2026-03-29T01:00:00.000Z', ROME)).toBe('2026-03-30T00:30:00.000Z');
  });

  it('is the first of two instants if the clocks show the time twice', () => {
    expect(ends(day('next-time', 2, 30), '2026-10-24T12:00:00.000Z', ROME)).toBe('2026-10-25T00:30:00.000Z');
    // Half an hour after that, the clocks are about to show it again.
    expect(ends(day('next-time', 2, 30), '2026-10-25T01:00:00.000Z', ROME)).toBe('2026-10-26T01:30:00.000Z');
  });

  it('never lies before the acceptance, and not a day and a week after it', () => {
    const zones = fc.constantFrom(
      'UTC',
      ROME,
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'America/Santiago',
    );
    const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    const delays = fc.record({
      option: fc.constantFrom(...DAYS),
      untilHour: fc.nat(23),
      untilMinute: fc.nat(59),
    });
    fc.assert(
      fc.property(delays, instants, zones, (delay, at, zone) => {
        const waitsMs = delayEnd(delay, at, zone).getTime() - at.getTime();
        expect(waitsMs).toBeGreaterThan(0);
        expect(waitsMs).toBeLessThanOrEqual(8 * 86_400_000);
      }),
    );
  });
});

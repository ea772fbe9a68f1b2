import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DurationBody, durationMs, minutesBody, minutesView } from './durations.ts';

const upToADay = minutesBody({ min: 0, max: 1_440 });
const refusal = (value: unknown, schema: typeof upToADay | typeof DurationBody = upToADay) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('minutesBody', () => {
  it.each([
    [{ timeAmount: 5 }, 5],
    [{ timeAmount: 5, timeUnit: 'minutes' }, 5],
    [{ timeAmount: 5, timeUnit: 'minute' }, 5],
    [{ timeUnit: 'Hour', timeAmount: 1 }, 60],
    [{ timeAmount: 5, timeUnit: null }, 5],
    [{ timeAmount: 5, timeUnit: '' }, 5],
    [{ timeAmount: 2, timeUnit: 'HOURS' }, 120],
    [{ timeAmount: 1, timeUnit: 'days' }, 1_440],
    [{ timeAmount: 120, timeUnit: 'seconds' }, 2],
    [{ timeAmount: 60_000, timeUnit: 'milliseconds' }, 1],
    [{ timeAmount: 60_000, timeUnit: 'miliseconds' }, 1],
    [{ timeAmount: 60_000, timeUnit: 'millis' }, 1],
    [5, 5],
    [{}, 0],
    [{ timeAmount: null, timeUnit: 'hours' }, 0],
  ])('reads %j as %d minutes (P8)', (value, minutes) => {
    expect(upToADay.parse(value)).toBe(minutes);
  });

  it.each([
    [{ timeAmount: 90, timeUnit: 'seconds' }, 'timeAmount: should be a whole number of minutes'],
    [{ timeAmount: 0.5 }, 'timeAmount: should be a whole number of minutes'],
    [{ timeAmount: '5.5' }, 'timeAmount: should be a whole number of minutes'],
    [{ timeAmount: -1 }, 'timeAmount: should be at least 0 minutes'],
    [{ timeAmount: 1_441 }, 'timeAmount: should be at most 1440 minutes'],
    [{ timeAmount: 2, timeUnit: 'days' }, 'timeAmount: should be at most 1440 minutes'],
    [{ timeAmount: Number.MAX_SAFE_INTEGER, timeUnit: 'days' }, 'timeAmount: should be a whole number of minutes'],
    [
      { timeAmount: 1, timeUnit: 'weeks' },
      'timeUnit: should be one of [ days, hours, minutes, seconds, milliseconds, miliseconds, millis ]',
    ],
    ['5 minutes', ': should be an object with timeAmount and timeUnit'],
    [null, ': should be an object with timeAmount and timeUnit'],
    [-1, ': should be at least 0 minutes'],
    [0.5, ': should be a whole number of minutes'],
  ])('refuses %j', (value, problem) => {
    expect(refusal(value)).toEqual([problem]);
  });

  it('takes its bounds inclusively, an absent amount as zero', () => {
    const few = minutesBody({ min: 1, max: 2 });
    expect([few.parse(1), few.parse(2)]).toEqual([1, 2]);
    expect(refusal({}, few)).toEqual(['timeAmount: should be at least 1 minutes']);
    expect(refusal(3, few)).toHaveLength(1);
  });

  it('reads back what minutesView answers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_440 }), (minutes) => {
        expect(upToADay.parse(minutesView(minutes))).toBe(minutes);
      }),
    );
  });
});

describe('DurationBody', () => {
  it.each([
    [{ timeAmount: 1 }, 'minutes', 60_000],
    [{ timeAmount: 1, timeUnit: '' }, 'minutes', 60_000],
    [{ timeAmount: 1, timeUnit: 'minute' }, 'minutes', 60_000],
    [1, 'minutes', 60_000],
    [{ timeAmount: 1, timeUnit: 'Days' }, 'days', 86_400_000],
    [{ timeAmount: 1, timeUnit: 'hours' }, 'hours', 3_600_000],
    [{ timeAmount: 1, timeUnit: 'SECONDS' }, 'seconds', 1_000],
    [{ timeAmount: 1, timeUnit: 'milliseconds' }, 'milliseconds', 1],
    [{ timeAmount: 1, timeUnit: 'miliseconds' }, 'milliseconds', 1],
    [{ timeAmount: 1, timeUnit: 'millis' }, 'milliseconds', 1],
  ])('keeps %j in %s, in the documented spelling (P8, E10)', (value, timeUnit, ms) => {
    const duration = DurationBody.parse(value);
    expect(duration).toEqual({ timeAmount: 1, timeUnit });
    expect(durationMs(duration)).toBe(ms);
  });

  it.each([
    [365, 'days'],
    [365 * 24, 'hours'],
    [365 * 24 * 60, 'minutes'],
    [365 * 24 * 60 * 60, 'seconds'],
    [365 * 24 * 60 * 60_000, 'milliseconds'],
  ])('takes %d %s, and refuses one more', (timeAmount, timeUnit) => {
    expect(DurationBody.parse({ timeAmount, timeUnit })).toEqual({ timeAmount, timeUnit });
    const more = { timeAmount: timeAmount + 1, timeUnit };
    expect(refusal(more, DurationBody)).toEqual(['timeAmount: should be at most 365 days']);
  });

  it.each([
    [{ timeAmount: 0 }, 'timeAmount: should be a whole number of at least 1'],
    [{ timeAmount: 1.5 }, 'timeAmount: should be a whole number of at least 1'],
    [{ timeAmount: '5.5' }, 'timeAmount: should be a whole number of at least 1'],
    [{}, 'timeAmount: should be a whole number of at least 1'],
    [
      { timeAmount: 1, timeUnit: 'micros' },
      'timeUnit: should be one of [ days, hours, minutes, seconds, milliseconds, miliseconds, millis ]',
    ],
    [undefined, ': should be an object with timeAmount and timeUnit'],
  ])('refuses %j', (value, problem) => {
    expect(refusal(value, DurationBody)).toEqual([problem]);
  });
});

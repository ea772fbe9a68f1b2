import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { minutesBody, minutesView } from './durations.ts';

const upToADay = minutesBody({ min: 0, max: 1_440 });
const refusal = (value: unknown, schema = upToADay) =>
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
    [{ timeAmount: '5' }, 'timeAmount: should be a whole number of minutes'],
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

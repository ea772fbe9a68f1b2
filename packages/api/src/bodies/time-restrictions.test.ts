import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { SnappedTimeRestrictionBody, TimeRestrictionBody } from './time-restrictions.ts';

const night = { startHour: 22, startMin: 15, endHour: 6, endMin: 45 };
const daily = { type: 'time-of-day', restriction: night };
const span = { startDay: 'friday', endDay: 'monday', ...night };
const weekly = { type: 'weekday-and-time-of-day', restrictions: [span] };
const spans = (count: number) => Array.from({ length: count }, () => span);

const refusal = (value: unknown) =>
  TimeRestrictionBody.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
const NOT_AN_HOUR = 'should be a whole number from 0 to 23';
const NOT_A_MINUTE = 'should be a whole number from 0 to 59';
const NOT_A_LIST = 'should be a list of 1 to 15 items';
const NOT_A_FORM = 'should be one of [ time-of-day, weekday-and-time-of-day ]';

describe('TimeRestrictionBody', () => {
  it('keeps both forms as they were written, minutes too (S3)', () => {
    expect(TimeRestrictionBody.parse(daily)).toEqual(daily);
    expect(TimeRestrictionBody.parse(weekly)).toEqual(weekly);
  });

  it('reads days and the form in any letter case, and ignores what it does not know (E5)', () => {
    const loud = { ...weekly, type: ' Weekday-And-Time-Of-Day', restrictions: [{ ...span, startDay: 'FRIDAY', x: 1 }] };
    expect(TimeRestrictionBody.parse(loud)).toEqual(weekly);
  });

  it('reads a time of day from a list of one, and answers the object', () => {
    expect(TimeRestrictionBody.parse({ type: 'time-of-day', restrictions: [night] })).toEqual(daily);
    expect(TimeRestrictionBody.parse({ type: 'time-of-day', restriction: {}, restrictions: [night] })).toEqual(daily);
    expect(refusal({ type: 'time-of-day', restrictions: [night, night] })).toHaveLength(1);
  });

  it('passes over the empty shell of the other form (E12)', () => {
    expect(TimeRestrictionBody.parse({ ...weekly, restriction: {} })).toEqual(weekly);
    expect(TimeRestrictionBody.parse({ ...daily, restrictions: null })).toEqual(daily);
    expect(TimeRestrictionBody.parse({ ...daily, restriction: { ...night, startDay: '', endDay: null } })).toEqual(
      daily,
    );
  });

  it('is absent where nothing is said, also as a field that is left out (E5, E12)', () => {
    for (const nothing of [undefined, null, {}, '', { type: '', restriction: {}, restrictions: [] }])
      expect(TimeRestrictionBody.parse(nothing)).toBeUndefined();
    expect(z.object({ timeRestriction: TimeRestrictionBody }).parse({})).toEqual({});
  });

  it('takes hours 0 to 23, minutes 0 to 59 and 1 to 15 spans', () => {
    const edge = { startHour: 0, startMin: 0, endHour: 23, endMin: 59 };
    expect(TimeRestrictionBody.parse({ ...daily, restriction: edge })).toEqual({ ...daily, restriction: edge });
    expect(TimeRestrictionBody.parse({ ...weekly, restrictions: spans(15) })).toEqual({
      ...weekly,
      restrictions: spans(15),
    });
  });

  it.each([
    [{ ...daily, restriction: { ...night, startHour: 24 } }, [`restriction.startHour: ${NOT_AN_HOUR}`]],
    [{ ...daily, restriction: { ...night, endHour: -1 } }, [`restriction.endHour: ${NOT_AN_HOUR}`]],
    [{ ...daily, restriction: { ...night, endMin: 60 } }, [`restriction.endMin: ${NOT_A_MINUTE}`]],
    [{ ...daily, restriction: { ...night, startMin: 0.5 } }, [`restriction.startMin: ${NOT_A_MINUTE}`]],
    [{ ...daily, restriction: { ...night, startMin: 'half' } }, [`restriction.startMin: ${NOT_A_MINUTE}`]],
    [{ ...daily, restriction: { startHour: 1, startMin: 1, endHour: 1 } }, [`restriction.endMin: ${NOT_A_MINUTE}`]],
    [
      { ...daily, restriction: span },
      ['startDay', 'endDay'].map(
        (day) => `restriction.${day}: is not supported with time-of-day, only with weekday-and-time-of-day`,
      ),
    ],
    [{ type: 'time-of-day' }, ['restriction: should be an object with startHour, startMin, endHour and endMin']],
    [{ ...weekly, restrictions: [] }, [`restrictions: ${NOT_A_LIST}`]],
    [{ ...weekly, restrictions: spans(16) }, [`restrictions: ${NOT_A_LIST}`]],
    [{ type: 'weekday-and-time-of-day', restriction: night }, [`restrictions: ${NOT_A_LIST}`]],
    [{ ...weekly, type: 'weekly' }, [`type: ${NOT_A_FORM}`]],
    [{ restriction: night }, [`type: ${NOT_A_FORM}`]],
    ['always', [': should be an object with type']],
  ])('refuses %j, naming the field', (value, problems) => {
    expect(refusal(value)).toEqual(problems);
  });

  it('refuses a day that is none', () => {
    const restrictions = [{ ...span, endDay: 'someday' }];
    expect(refusal({ ...weekly, restrictions })).toEqual([
      'restrictions.0.endDay: should be one of [ monday, tuesday, wednesday, thursday, friday, saturday, sunday ]',
    ]);
  });

  const hour = fc.integer({ min: 0, max: 24 });
  const loose = fc.record({
    type: fc.constantFrom('time-of-day', 'weekday-and-time-of-day', 'TIME-OF-DAY'),
    restrictions: fc.array(
      fc.record({
        startDay: fc.constantFrom('friday', 'Sunday', ''),
        endDay: fc.constant('MONDAY'),
        startHour: hour,
        startMin: hour,
        endHour: hour,
        endMin: hour,
      }),
    ),
  });

  it('is not refused for an empty shell, but for one that is endlessly deep', () => {
    const deep: unknown = JSON.parse(`{"restriction":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(refusal(deep)).toEqual([`type: ${NOT_A_FORM}`]);
  });

  it('reads back what it gave, whatever it was given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), loose, fc.constantFrom(daily, weekly)), (value) => {
        const first = TimeRestrictionBody.safeParse(value).data;
        expect(TimeRestrictionBody.parse(first)).toEqual(first);
      }),
    );
  });
});

describe('SnappedTimeRestrictionBody', () => {
  const times = (startHour: number, startMin: number, endHour: number, endMin: number) => ({
    type: 'time-of-day',
    restriction: { startHour, startMin, endHour, endMin },
  });

  it.each([
    [times(8, 14, 17, 44), times(8, 0, 17, 30)],
    [times(8, 15, 17, 45), times(8, 30, 18, 0)],
    [times(23, 45, 23, 44), times(0, 0, 23, 30)],
    [times(0, 0, 23, 59), times(0, 0, 0, 0)],
  ])('moves %j to half hours (S1)', (written, expected) => {
    expect(SnappedTimeRestrictionBody.parse(written)).toEqual(expected);
  });

  it('moves a minute before midnight to the next day, Sunday to Monday too', () => {
    const late = { startDay: 'friday', startHour: 23, startMin: 45, endDay: 'sunday', endHour: 23, endMin: 59 };
    const moved = { startDay: 'saturday', startHour: 0, startMin: 0, endDay: 'monday', endHour: 0, endMin: 0 };
    expect(SnappedTimeRestrictionBody.parse({ ...weekly, restrictions: [late] })).toEqual({
      ...weekly,
      restrictions: [moved],
    });
  });

  it.each([
    [times(9, 0, 9, 10), ['restriction']],
    [times(23, 46, 23, 59), ['restriction']],
    [times(23, 50, 0, 5), ['restriction']],
    [
      { ...weekly, restrictions: [span, { ...span, startHour: 9, endDay: 'friday', endHour: 9, endMin: 29 }] },
      ['restrictions', 1],
    ],
    [
      {
        ...weekly,
        restrictions: [
          { ...span, startDay: 'sunday', startHour: 23, startMin: 50, endDay: 'monday', endHour: 0, endMin: 5 },
        ],
      },
      ['restrictions', 0],
    ],
  ])('refuses %j, of which nothing would be left', (written, path) => {
    expect(SnappedTimeRestrictionBody.safeParse(written).error?.issues).toMatchObject([{ path }]);
  });

  it.each([times(9, 0, 9, 15), times(9, 0, 9, 0), times(9, 10, 9, 0), times(9, 10, 9, 10)])('takes %j', (written) => {
    expect(SnappedTimeRestrictionBody.safeParse(written).success).toBe(true);
  });

  it('is absent where nothing is said', () => {
    expect(SnappedTimeRestrictionBody.parse({})).toBeUndefined();
    expect(z.object({ timeRestriction: SnappedTimeRestrictionBody }).parse({})).toEqual({});
  });
});

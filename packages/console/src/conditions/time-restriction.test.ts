import { describe, expect, test } from '@jest/globals';
import {
  ALL_DAY,
  dailyRestriction,
  hoursOf,
  restrictionText,
  stretchesOf,
  type TimeRestriction,
  weeklyRestriction,
} from './time-restriction.ts';

const nights: TimeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 },
};
const week: TimeRestriction = {
  type: 'weekday-and-time-of-day',
  restrictions: [
    { startDay: 'monday', startHour: 8, startMin: 0, endDay: 'friday', endHour: 18, endMin: 0 },
    { startDay: 'sunday', startHour: 0, startMin: 5, endDay: 'sunday', endHour: 1, endMin: 0 },
  ],
};

describe('a time restriction', () => {
  test('It is said in words.', () => {
    expect(restrictionText(undefined)).toBe('always');
    expect(restrictionText(ALL_DAY)).toBe('always');
    expect(restrictionText(nights)).toBe('from 22:00 to 06:30 each day');
    expect(restrictionText(week)).toBe('from Monday 08:00 to Friday 18:00, and from Sunday 00:05 to Sunday 01:00');
  });

  test('The hours of each day are fields, which give the same restriction again.', () => {
    const { from = '', to = '' } = hoursOf(nights) ?? {};

    expect(dailyRestriction(from, to)).toEqual(nights);
    expect(hoursOf(week)).toBeUndefined();
    expect(hoursOf(undefined)).toBeUndefined();
  });

  test('The stretches of a week are fields, which give the same restriction again.', () => {
    expect(stretchesOf(week)).toEqual([
      { startDay: 'monday', from: '08:00', endDay: 'friday', to: '18:00' },
      { startDay: 'sunday', from: '00:05', endDay: 'sunday', to: '01:00' },
    ]);
    expect(weeklyRestriction(stretchesOf(week) ?? [])).toEqual(week);
    expect(stretchesOf(nights)).toBeUndefined();
  });
});

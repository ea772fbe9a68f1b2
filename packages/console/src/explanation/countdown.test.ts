import { describe, expect, test } from '@jest/globals';
import { countdownText } from './countdown.ts';

const AT = Date.UTC(2026, 0, 5, 8, 0);
const due = { state: 'due', at: '2026-01-05T08:00:00Z' } as const;

describe('the countdown to the next page', () => {
  test('It has seconds.', () => {
    const texts = [3_725_000, 125_999, 5_000].map((left) => countdownText(due, AT - left));

    expect(texts).toEqual(['Next page in 1 h 02 min 05 s.', 'Next page in 2 min 05 s.', 'Next page in 5 s.']);
  });

  test('It ends at "due now", and is never negative.', () => {
    for (const late of [-999, 0, 1, 60_000]) expect(countdownText(due, AT + late)).toBe('The next page is due now.');
  });

  test('It says where no page is due, and where that is not known.', () => {
    expect(countdownText({ state: 'none' }, AT)).toBe('No page is due.');
    expect(countdownText({ state: 'unknown' }, AT)).toBe('The next page is not known now.');
  });
});

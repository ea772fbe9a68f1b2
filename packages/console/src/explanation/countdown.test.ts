import { describe, expect, test } from '@jest/globals';
import { countdownText, nextReadMs } from './countdown.ts';

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

  test('It is that to the start of the escalation, where the first rule may page later.', () => {
    const starts = { state: 'starts', at: due.at } as const;
    const texts = [125_000, 999, -60_000].map((left) => countdownText(starts, AT - left));

    expect(texts).toEqual([
      'The escalation starts in 2 min 05 s.',
      'The escalation starts now.',
      'The escalation starts now.',
    ]);
  });

  test('It says where no page is due, and where that is not known.', () => {
    expect(countdownText({ state: 'none' }, AT)).toBe('No page is due.');
    expect(countdownText({ state: 'unknown' }, AT)).toBe('The next page is not known now.');
  });
});

describe('the read of the next page', () => {
  const SETTLED = 3;
  const after = (left: number) => nextReadMs(due, SETTLED, AT - left);

  test('It comes again at the instant of the page, and within 30 s.', () => {
    expect([29_000, 12_000, 30_000, 3_600_000].map(after)).toEqual([29_000, 12_000, 30_000, 30_000]);
  });

  test('It comes each 5 s while the page is late or not known, and after a change of the alert.', () => {
    expect([1_000, 0, -60_000].map(after)).toEqual([5_000, 5_000, 5_000]);
    expect(nextReadMs({ state: 'unknown' }, SETTLED, AT)).toBe(5_000);
    expect(nextReadMs(undefined, SETTLED, AT)).toBe(5_000);
    expect([0, 1, 2].map((reads) => nextReadMs({ state: 'none' }, reads, AT))).toEqual([5_000, 5_000, 5_000]);
  });

  test('It is rare where no page is due.', () => {
    expect(nextReadMs({ state: 'none' }, SETTLED, AT)).toBe(30_000);
  });
});

import { describe, expect, test } from '@jest/globals';
import { agoText, lengthText } from './time.ts';

const MINUTE = 60_000;

describe('lengths of time', () => {
  test.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [MINUTE, '1 min'],
    [MINUTE + 5_000, '1 min 5 s'],
    [10 * MINUTE + 5_000, '10 min'],
    [59 * MINUTE, '59 min'],
    [60 * MINUTE, '1 h'],
    [125 * MINUTE, '2 h 5 min'],
    [25 * 60 * MINUTE, '1 d 1 h'],
    [30 * 24 * 60 * MINUTE, '30 d'],
  ])('%p ms are %p.', (ms, text) => {
    expect(lengthText(ms)).toBe(text);
  });

  test('An instant of the last seconds, or one that another clock puts ahead, is now.', () => {
    expect(agoText(10_000, 14_000)).toBe('now');
    expect(agoText(20_000, 14_000)).toBe('now');
    expect(agoText(10_000, 70_000)).toBe('1 min ago');
  });
});

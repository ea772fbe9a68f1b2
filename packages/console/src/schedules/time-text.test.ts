import { describe, expect, test } from '@jest/globals';
import { timeText } from './time-text.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);

describe('the text of a time', () => {
  test('It has the year where that is not the present one.', () => {
    const march = at('2026-03-29T10:00:00Z');
    expect(timeText(march, BERLIN, at('2026-06-01T00:00:00Z'))).not.toContain('2026');
    expect(timeText(march, BERLIN, at('2027-06-01T00:00:00Z'))).toContain('2026');
    expect(timeText(0, BERLIN, at('2026-06-01T00:00:00Z'))).toContain('1970');
  });

  test('Which year it is depends on the zone.', () => {
    const newYear = at('2026-12-31T23:30:00Z');
    expect(timeText(newYear, BERLIN, at('2027-01-02T00:00:00Z'))).not.toContain('2027');
    expect(timeText(newYear, 'UTC', at('2027-01-02T00:00:00Z'))).toContain('2026');
  });

  test('A time that the clocks show twice has its offset.', () => {
    const now = at('2026-06-01T00:00:00Z');
    const texts = [at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')].map((each) => timeText(each, BERLIN, now));
    expect(texts).toEqual([expect.stringContaining('GMT+2'), expect.stringContaining('GMT+1')]);
  });
});

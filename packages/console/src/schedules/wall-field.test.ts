import { describe, expect, test } from '@jest/globals';
import { fieldOf, instantOfField, showingTexts } from './wall-field.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);

describe('an instant in a field', () => {
  test('It is shown as the clocks of the zone show it, and read back.', () => {
    for (const text of [
      '2026-03-29T00:59:00Z',
      '2026-03-29T01:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
    ]) {
      const field = fieldOf(at(text), BERLIN);
      expect(instantOfField(field, BERLIN)).toMatchObject({ at: at(text) });
    }
    expect(fieldOf(at('2026-03-29T01:00:00Z'), BERLIN)).toEqual({ text: '2026-03-29T03:00', showing: 0 });
    expect(fieldOf(at('2026-10-25T01:30:00Z'), BERLIN)).toEqual({ text: '2026-10-25T02:30', showing: 1 });
    expect(fieldOf(at('2026-03-01T11:22:33.444Z'), BERLIN).text).toBe('2026-03-01T12:22:33');
  });

  test('A time that the clocks skip is none.', () => {
    expect(instantOfField({ text: '2026-03-29T02:30', showing: 0 }, BERLIN)).toEqual({
      fault: 'The clocks of Europe/Berlin skip this time. Type one before or after it.',
    });
  });

  test('Of a time that they show twice a person chooses one.', () => {
    const first = instantOfField({ text: '2026-10-25T02:30', showing: 0 }, BERLIN);
    const second = instantOfField({ text: '2026-10-25T02:30', showing: 1 }, BERLIN);
    expect([first.at, second.at]).toEqual([at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')]);
    expect(showingTexts(first, BERLIN)).toHaveLength(2);
    expect(showingTexts(instantOfField({ text: '2026-10-25T03:30', showing: 1 }, BERLIN), BERLIN)).toEqual([]);
  });

  test('One that was not changed keeps its parts of a second.', () => {
    const kept = at('2026-03-01T11:22:33.444Z');
    expect(instantOfField(fieldOf(kept, BERLIN), BERLIN, kept)).toMatchObject({ at: kept });
    expect(instantOfField({ text: '2026-03-01T12:22', showing: 0 }, BERLIN, kept)).toMatchObject({
      at: at('2026-03-01T11:22:00Z'),
    });
  });

  test.each(['', '2026-03-01', '2026-02-30T10:00', 'tomorrow'])('%p is no time.', (text) => {
    expect(instantOfField({ text, showing: 0 }, BERLIN)).toEqual({ fault: 'Type a date and a time.' });
  });
});

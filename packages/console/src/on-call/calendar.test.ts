// cspell:ignore DTSTART DTEND -- names of iCalendar
import { describe, expect, test } from '@jest/globals';
import { shiftsIn } from './calendar.ts';

const event = (summary: string, start: string, end: string) =>
  ['BEGIN:VEVENT', 'UID:1@tocsin', `DTSTART:${start}`, `DTEND:${end}`, `SUMMARY:${summary}`, 'END:VEVENT'].join('\r\n');

const calendar = (...events: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'NAME:On call: ada@example.com', ...events, 'END:VCALENDAR', ''].join('\r\n');

describe('the shifts of a calendar', () => {
  test('They have the name of their schedule, in the order in which they begin.', () => {
    const text = calendar(
      event('ada@example.com on call: Ops', '20260203T060000Z', '20260204T060000Z'),
      event('ada@example.com on call: Net', '20260201T000000Z', '20260202T000000Z'),
    );

    expect(shiftsIn(text)).toEqual([
      { schedule: 'Net', from: Date.UTC(2026, 1, 1), until: Date.UTC(2026, 1, 2) },
      { schedule: 'Ops', from: Date.UTC(2026, 1, 3, 6), until: Date.UTC(2026, 1, 4, 6) },
    ]);
  });

  test('A name with signs and on two lines of the file is read as it is.', () => {
    const text = calendar(
      event('ada@example.com on call: Größe\\, 🔥\\; a\\\\b on ca\r\n ll: x', '20260201T000000Z', '20260202T000000Z'),
    );

    expect(shiftsIn(text)[0]?.schedule).toBe('Größe, 🔥; a\\b on call: x');
  });

  test('Shifts of a schedule that touch are one, those of two schedules are not.', () => {
    const text = calendar(
      event('ada@example.com on call: Ops', '20260202T000000Z', '20260203T000000Z'),
      event('ada@example.com on call: Net', '20260202T000000Z', '20260203T000000Z'),
      event('ada@example.com on call: Ops', '20260201T000000Z', '20260202T000000Z'),
      event('ada@example.com on call: Ops', '20260204T000000Z', '20260205T000000Z'),
    );

    expect(shiftsIn(text).map(({ from, schedule, until }) => [schedule, (until - from) / 3_600_000])).toEqual([
      ['Ops', 48],
      ['Net', 24],
      ['Ops', 24],
    ]);
  });

  test('A calendar without events has none.', () => {
    expect(shiftsIn(calendar())).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Shift } from '../timeline.ts';
import { plusDays, ZoneCalendar, type Day } from './calendar.ts';
import { clockChangeLines, drawingText, gapLines, type DrawnRow } from './schedule-drawing.ts';
import { widthOf } from './text.ts';

const uncoloured = (text: string) => text;
const on = (zone: string, width = 80) => ({ calendar: new ZoneCalendar(zone), paint: uncoloured, width });
const shiftOf = (from: string, until: string, ...names: string[]): Shift => ({
  ...{ from: Date.parse(from), until: Date.parse(until) },
  names,
});
const loud = (...shifts: Shift[]): DrawnRow => ({ label: 'ON CALL', shifts, isLoud: true });
const MARCH_23: Day = { year: 2026, month: 3, day: 23 };

describe('the drawing of a schedule', () => {
  it('shows a day for each shift, the label of every row, and the planned ones beside the result', () => {
    const days = ['ada', 'bob', 'ada', 'bob', 'ada', 'bob', 'ada'].map((name, at) =>
      shiftOf(`2026-03-${23 + at}T00:00Z`, `2026-03-${24 + at}T00:00Z`, name),
    );
    const rows = [{ label: 'Days', shifts: days, isLoud: false }, loud(...days)];
    expect(drawingText(rows, MARCH_23, 7, on('UTC')).split('\n')).toEqual([
      '        Mon 23    Tue 24    Wed 25    Thu 26    Fri 27    Sat 28    Sun 29',
      'Days    │ada──────│bob──────│ada──────│bob──────│ada──────│bob──────│ada──────',
      'ON CALL │ada──────│bob──────│ada──────│bob──────│ada──────│bob──────│ada──────',
    ]);
  });

  it('shows a gap loudly without a colour, in the result alone', () => {
    const office = ['23', '24'].map((day) => shiftOf(`2026-03-${day}T08:00Z`, `2026-03-${day}T18:00Z`, 'ada'));
    const whole = [
      shiftOf('2026-03-23T00:00Z', '2026-03-23T08:00Z'),
      ...office.slice(0, 1),
      shiftOf('2026-03-23T18:00Z', '2026-03-24T08:00Z'),
      ...office.slice(1),
      shiftOf('2026-03-24T18:00Z', '2026-03-25T00:00Z'),
    ];
    const rows = [{ label: 'Office', shifts: office, isLoud: false }, loud(...whole)];
    expect(drawingText(rows, MARCH_23, 2, on('UTC', 56)).split('\n')).toEqual([
      '        Mon 23                  Tue 24',
      'Office          │ada──────              │ada──────',
      'ON CALL !!GAP!!!│ada──────!!!!!GAP!!!!!!│ada──────!GAP!!',
    ]);
  });

  it('shows in a column of its own the shortest gap, which no rounding hides', () => {
    const row = loud(
      shiftOf('2026-03-23T00:00Z', '2026-03-23T12:00Z', 'ada'),
      shiftOf('2026-03-23T12:00Z', '2026-03-23T12:01Z'),
      shiftOf('2026-03-23T12:01Z', '2026-03-24T00:00Z', 'bob'),
    );
    expect(drawingText([row], MARCH_23, 1, on('UTC', 32)).split('\n')[1]).toBe('ON CALL │ada────────!│bob───────');
  });

  it('draws days of 23 and of 25 hours as wide as others, and shifts in them at their hours', () => {
    // Paris: the day of 2026-03-29 begins at 23:00Z and ends at 22:00Z.
    const row = loud(
      shiftOf('2026-03-27T23:00Z', '2026-03-28T23:00Z', 'ada'),
      shiftOf('2026-03-28T23:00Z', '2026-03-29T22:00Z', 'bob'),
      shiftOf('2026-03-29T22:00Z', '2026-03-30T22:00Z', 'eve'),
    );
    const drawn = drawingText([row], { year: 2026, month: 3, day: 28 }, 3, on('Europe/Paris', 38));
    expect(drawn.split('\n')).toEqual(['        Sat 28    Sun 29    Mon 30', 'ON CALL │ada──────│bob──────│eve──────']);
    const autumn = loud(
      shiftOf('2026-10-23T22:00Z', '2026-10-24T22:00Z', 'ada'),
      shiftOf('2026-10-24T22:00Z', '2026-10-25T23:00Z', 'bob'),
    );
    expect(drawingText([autumn], { year: 2026, month: 10, day: 24 }, 2, on('Europe/Paris', 28))).toContain(
      'ON CALL │ada──────│bob──────',
    );
  });

  it('is drawn in blocks of fewer days where the terminal is narrow, and goes on where a block ends', () => {
    const row = loud(shiftOf('2026-03-23T00:00Z', '2026-03-30T00:00Z', '日本 太郎'));
    expect(drawingText([row], MARCH_23, 7, on('UTC', 40)).split('\n')).toEqual([
      '        Mon 23  Tue 24  Wed 25  Thu 26',
      'ON CALL │日本 太郎──────────────────────',
      '',
      '        Fri 27  Sat 28  Sun 29',
      'ON CALL ─日本 太郎──────────────',
    ]);
  });

  it('is never wider than the terminal, and marks every gap, whatever is on call', () => {
    const HOUR = 3_600_000;
    const start = Date.parse('2026-03-22T23:00Z');
    const names = fc.array(fc.constantFrom('ada', '日本', 'a-very-long-name@of.example.com', '👩‍🚒'), { maxLength: 2 });
    const shifts = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), names), { maxLength: 20 }).map((steps) => {
      const made: Shift[] = [];
      for (const [hours, who] of steps) {
        const from = made.at(-1)?.until ?? start;
        made.push({ from, until: from + hours * HOUR, names: who });
      }
      return made;
    });
    fc.assert(
      fc.property(shifts, fc.integer({ min: 30, max: 200 }), fc.integer({ min: 1, max: 15 }), (all, width, days) => {
        const canvas = on('Europe/Paris', width);
        const end = canvas.calendar.startOf(plusDays(MARCH_23, days));
        const inside = all.filter(({ from }) => from < end);
        const rest = { from: inside.at(-1)?.until ?? start, until: end, names: [] };
        const row = loud(...inside, ...(rest.from < rest.until ? [rest] : []));
        const lines = drawingText([row], MARCH_23, days, canvas).split('\n');
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
        const hasGap = row.shifts.some(({ names: who }) => who.length === 0);
        expect(lines.some((line) => line.includes('!') || line.includes('GAP'))).toBe(hasGap);
      }),
      { numRuns: 30 },
    );
  });

  it('colours each person alike in every row, and gaps as an alarm', () => {
    const paint = (text: string, look?: string) => (look === undefined ? text : `<${look}:${text.trim()}>`);
    const half = [
      shiftOf('2026-03-23T00:00Z', '2026-03-23T12:00Z', 'ada'),
      shiftOf('2026-03-23T12:00Z', '2026-03-24T00:00Z'),
    ];
    const rows = [{ label: 'Days', shifts: half.slice(0, 1), isLoud: false }, loud(...half)];
    const [, days, result] = drawingText(rows, MARCH_23, 1, { ...on('UTC', 16), paint }).split('\n');
    expect(days).toContain('<person0:│ada>');
    expect(result).toBe('<heading:ON CALL><person0:│ada><alarm:GAP!>');
  });
});

describe('what is said below the drawing', () => {
  it('is when no user is on call and how long, also over midnight and over a change of the clocks', () => {
    const shifts = [
      shiftOf('2026-03-24T07:00Z', '2026-03-24T08:00Z'),
      shiftOf('2026-03-24T08:00Z', '2026-03-24T21:30Z', 'ada'),
      shiftOf('2026-03-24T21:30Z', '2026-03-27T00:30Z'),
      shiftOf('2026-03-29T00:30Z', '2026-03-29T01:30Z'),
      shiftOf('2026-10-25T00:30Z', '2026-10-25T01:30Z'),
    ];
    expect(gapLines(shifts, on('Europe/Paris'))).toEqual([
      'NO USER IS ON CALL:',
      '  Tue 24 Mar 08:00 – 09:00 (1 h)',
      '  Tue 24 Mar 22:30 – Fri 27 Mar 01:30 (2 d 3 h)',
      '  Sun 29 Mar 01:30 – 03:30 (1 h)',
      '  Sun 25 Oct 02:30 – 02:30 (1 h)',
    ]);
  });

  it('is that there is none, and of very many the first twenty', () => {
    expect(gapLines([], on('UTC'))).toEqual(['A user is on call all the time.']);
    const many = Array.from({ length: 25 }, (_, at) => ({
      from: at * 7_200_000,
      until: (at + 0.5) * 7_200_000,
      names: [],
    }));
    const lines = gapLines(many, on('UTC'));
    expect([lines.length, lines.at(-1)]).toEqual([22, '  and 5 more times']);
  });

  it('names the days whose clocks change', () => {
    const lines = (month: number, day: number) =>
      clockChangeLines({ year: 2026, month, day }, 7, new ZoneCalendar('Europe/Paris'));
    expect([...lines(3, 23), ...lines(10, 19), ...lines(7, 1)]).toEqual([
      'Sun 29 Mar has 23 hours: the clocks change.',
      'Sun 25 Oct has 25 hours: the clocks change.',
    ]);
  });
});

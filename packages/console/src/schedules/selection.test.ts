import { describe, expect, test } from '@jest/globals';
import { marksOf, placeOf, selectedSpan, type Selection, selectionAfter } from './selection.ts';
import { firstInstantOf, HOUR_MS } from './zone.ts';

const BERLIN = 'Europe/Berlin';
const midnight = (date: string) => firstInstantOf(Date.parse(`${date}T00:00:00Z`), BERLIN);
const marksFrom = (from: string, until: string) => marksOf({ from: midnight(from), until: midnight(until) }, BERLIN);

const press = (keys: string, marks: readonly number[], start: number): Selection | undefined =>
  keys
    .split(' ')
    .map((key) => ({ key: key.replace('Shift+', ''), shiftKey: key.startsWith('Shift+') }))
    .reduce<Selection | undefined>((selection, key) => selectionAfter(key, selection, { marks, start }), undefined);

describe('hours selected by the keyboard', () => {
  test('The first arrow selects the hour of the start, further ones move it.', () => {
    const marks = marksFrom('2026-03-29', '2026-03-31');
    const start = midnight('2026-03-29') + 30 * 60_000;
    expect(press('ArrowRight', marks, start)).toEqual({ anchor: 0, head: 0 });
    expect(press('ArrowRight ArrowRight ArrowRight ArrowLeft', marks, start)).toEqual({ anchor: 1, head: 1 });
  });

  test('Shift with an arrow extends the selection, over the hour that the clocks skip too.', () => {
    const marks = marksFrom('2026-03-29', '2026-03-30');
    const selection = press('ArrowRight ArrowRight Shift+ArrowRight Shift+ArrowRight', marks, midnight('2026-03-29'));
    // 01:00, 03:00 and 04:00.
    expect(selectedSpan(selection ?? { anchor: 0, head: 0 }, marks)).toEqual({
      from: Date.parse('2026-03-29T00:00:00Z'),
      until: Date.parse('2026-03-29T03:00:00Z'),
    });
  });

  test('An hour that the clocks show twice is two.', () => {
    const marks = marksFrom('2026-10-25', '2026-10-26');
    expect(marks).toHaveLength(26);
    expect(selectedSpan({ anchor: 3, head: 2 }, marks)).toEqual({
      from: Date.parse('2026-10-25T00:00:00Z'),
      until: Date.parse('2026-10-25T02:00:00Z'),
    });
  });

  test('It stays within the range, and other keys mean nothing.', () => {
    const marks = marksFrom('2026-06-01', '2026-06-02');
    const start = midnight('2026-06-01');
    expect(press('ArrowUp ArrowUp', marks, start)).toEqual({ anchor: 0, head: 0 });
    expect(press('ArrowDown Shift+ArrowDown Shift+ArrowRight', marks, start)).toEqual({ anchor: 0, head: 23 });
    expect(selectedSpan({ anchor: 0, head: 23 }, marks)).toEqual({ from: start, until: start + 24 * HOUR_MS });
    expect(press('Enter', marks, start)).toBeUndefined();
  });
});

describe('the hour of an instant', () => {
  test('It is the one that began last.', () => {
    const marks = marksFrom('2026-06-01', '2026-06-02');
    const at = (hour: number) => midnight('2026-06-01') + hour * HOUR_MS;
    expect([-1, 0, 0.5, 1, 23.9, 30].map((hour) => placeOf(at(hour), marks))).toEqual([0, 0, 0, 1, 23, 23]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { hourAt, hoursIn, selectedSpan, type Selection, selectionAfter } from './selection.ts';
import { firstInstantOf, HOUR_MS, type Span } from './zone.ts';

const BERLIN = 'Europe/Berlin';
const midnight = (date: string) => firstInstantOf(Date.parse(`${date}T00:00:00Z`), BERLIN);
const hoursFrom = (from: string, until: string) => hoursIn({ from: midnight(from), until: midnight(until) }, BERLIN);

/** Presses keys, one after the other, with `selection` before the first. */
const press = (keys: string, hours: readonly Span[], start: number, selection?: Selection): Selection | undefined =>
  keys
    .split(' ')
    .map((key) => ({ key: key.replace('Shift+', ''), shiftKey: key.startsWith('Shift+') }))
    .reduce<Selection | undefined>((before, key) => selectionAfter(key, before, { hours, start }), selection);

describe('hours selected by the keyboard', () => {
  test('The first arrow selects the hour of the start, further ones move it.', () => {
    const hours = hoursFrom('2026-03-29', '2026-03-31');
    const day = midnight('2026-03-29');
    const start = day + 30 * 60_000;
    expect(press('ArrowRight', hours, start)).toEqual({ anchor: day, head: day });
    const second = day + HOUR_MS;
    expect(press('ArrowRight ArrowRight ArrowRight ArrowLeft', hours, start)).toEqual({ anchor: second, head: second });
  });

  test('Shift with an arrow extends the selection, over the hour that the clocks skip too.', () => {
    const hours = hoursFrom('2026-03-29', '2026-03-30');
    const keys = 'ArrowRight ArrowRight Shift+ArrowRight Shift+ArrowRight';
    // 01:00, 03:00 and 04:00.
    expect(selectedSpan(press(keys, hours, midnight('2026-03-29')), hours)).toEqual({
      from: Date.parse('2026-03-29T00:00:00Z'),
      until: Date.parse('2026-03-29T03:00:00Z'),
    });
  });

  test('An hour that the clocks show twice is two.', () => {
    const hours = hoursFrom('2026-10-25', '2026-10-26');
    expect(hours).toHaveLength(25);
    const [anchor, head] = [Date.parse('2026-10-25T01:00:00Z'), Date.parse('2026-10-25T00:00:00Z')];
    expect(selectedSpan({ anchor, head }, hours)).toEqual({ from: head, until: anchor + HOUR_MS });
  });

  test('It stays within the range, and other keys mean nothing.', () => {
    const hours = hoursFrom('2026-06-01', '2026-06-02');
    const start = midnight('2026-06-01');
    const last = start + 23 * HOUR_MS;
    expect(press('ArrowUp ArrowUp', hours, start)).toEqual({ anchor: start, head: start });
    expect(press('ArrowDown Shift+ArrowDown Shift+ArrowRight', hours, start)).toEqual({ anchor: start, head: last });
    expect(selectedSpan({ anchor: start, head: last }, hours)).toEqual({ from: start, until: last + HOUR_MS });
    expect(press('Enter', hours, start)).toBeUndefined();
  });
});

describe('hours that stay selected while another range is shown', () => {
  const at = midnight('2026-06-10') + 9 * HOUR_MS;
  const selection = { anchor: at, head: at + HOUR_MS };
  const span = { from: at, until: at + 2 * HOUR_MS };

  test('They are the same hours in each range that has them, also after midnight.', () => {
    expect(selectedSpan(selection, hoursFrom('2026-06-01', '2026-06-15'))).toEqual(span);
    expect(selectedSpan(selection, hoursFrom('2026-06-02', '2026-06-16'))).toEqual(span);
  });

  test.each([
    ['before them', '2026-06-01', '2026-06-02'],
    ['after them', '2026-06-11', '2026-06-25'],
  ])('In a range %s nothing is selected, and an arrow begins at the hour of the start.', (_, from, until) => {
    const hours = hoursFrom(from, until);
    const start = midnight(from);
    expect(selectedSpan(selection, hours)).toBeUndefined();
    expect(press('Shift+ArrowRight', hours, start, selection)).toEqual({ anchor: start, head: start });
  });

  test('In a range that has one end of them nothing is selected.', () => {
    const midnights = { anchor: midnight('2026-06-02') - HOUR_MS, head: midnight('2026-06-02') };
    expect(selectedSpan(midnights, hoursFrom('2026-06-01', '2026-06-02'))).toBeUndefined();
    expect(selectedSpan(midnights, hoursFrom('2026-06-02', '2026-06-03'))).toBeUndefined();
  });
});

describe('the hour of an instant', () => {
  test('It is the one that began last.', () => {
    const hours = hoursFrom('2026-06-01', '2026-06-02');
    const at = (hour: number) => midnight('2026-06-01') + hour * HOUR_MS;
    const found = [-1, 0, 0.5, 1, 23.9, 30].map((hour) => hourAt(at(hour), hours)?.from);
    expect(found).toEqual([0, 0, 0, 1, 23, 23].map(at));
  });
});

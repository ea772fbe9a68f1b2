import { describe, expect, test } from '@jest/globals';
import type { Timeline } from './queries.ts';
import { byDay, finalStretches, isGap, type Layer, stretchesOf } from './stretches.ts';

type Period = Layer['rotations'][number]['periods'][number];

const at = (hour: number) => Date.UTC(2026, 0, 5, hour);
const iso = (hour: number) => new Date(at(hour)).toISOString();

const period = (name: string | undefined, from: number, until: number, type: Period['type'] = 'default'): Period => ({
  startDate: iso(from),
  endDate: iso(until),
  type,
  recipient: name === undefined ? { type: 'none' } : { type: 'user', id: name, name },
});

const layer = (...rotations: readonly (readonly Period[])[]): Layer => ({
  rotations: rotations.map((periods, index) => ({ id: `${index}`, name: 'Daily', order: index + 1, periods })),
});

const range = { from: at(0), until: at(24) };
const shown = (layers: readonly Layer[]) =>
  stretchesOf(layers, range).map(({ from, kind, names }) => [new Date(from).getUTCHours(), names.join('+'), kind]);

describe('the stretches of a range', () => {
  test('They fill it, also where no one is on call.', () => {
    const stretches = stretchesOf([layer([period('ada', 6, 12), period('grace', 12, 18)])], range);
    expect(stretches.map(({ from, until }) => [from, until])).toEqual([
      [at(0), at(6)],
      [at(6), at(12)],
      [at(12), at(18)],
      [at(18), at(24)],
    ]);
    expect(stretches.map((each) => isGap(each))).toEqual([true, false, false, true]);
  });

  test('People of rotations beside each other are on call together, each once.', () => {
    const both = layer([period('ada', 0, 24)], [period('grace', 0, 12), period('ada', 12, 24)]);
    expect(shown([both])).toEqual([
      [0, 'ada+grace', 'default'],
      [12, 'ada', 'default'],
    ]);
  });

  test('The same people by an override are a stretch of their own.', () => {
    expect(shown([layer([period('ada', 0, 8), period('ada', 8, 12, 'override'), period('ada', 12, 24)])])).toEqual([
      [0, 'ada', 'default'],
      [8, 'ada', 'override'],
      [12, 'ada', 'default'],
    ]);
  });

  test('Periods outside of the range change nothing, and those that reach over its ends are cut.', () => {
    expect(stretchesOf([layer([period('ada', -5, 30), period('eve', -9, -5), period('eve', 30, 40)])], range)).toEqual([
      { from: at(0), until: at(24), names: ['ada'], kind: 'default' },
    ]);
  });

  test('A recipient without a name is deleted.', () => {
    const gone: Period = { ...period('ada', 0, 24), recipient: { type: 'user', id: '1' } };
    expect(shown([layer([gone])])).toEqual([[0, 'deleted', 'default']]);
  });
});

describe('who is on call in the end', () => {
  const timeline = (final: Layer, override?: Layer): Timeline => ({
    _parent: { id: '1', name: 'Payments', enabled: true },
    startDate: iso(0),
    endDate: iso(24),
    finalTimeline: final,
    ...(override && { overrideTimeline: override }),
  });

  test('No one by an override is no gap; no one without is one.', () => {
    const final = layer([period('ada', 0, 8), period('ada', 12, 20)]);
    const stretches = finalStretches(timeline(final, layer([period(undefined, 8, 12, 'override')])));
    expect(stretches.map((each) => [each.names.join(), isGap(each)])).toEqual([
      ['ada', false],
      ['', false],
      ['ada', false],
      ['', true],
    ]);
  });

  test('An override of no one in one rotation leaves the people of another.', () => {
    const final = layer([period('ada', 0, 8)], [period('grace', 0, 24)]);
    const stretches = finalStretches(timeline(final, layer([period(undefined, 8, 24, 'override')], [])));
    expect(stretches.map(({ names }) => names.join('+'))).toEqual(['ada+grace', 'grace']);
  });

  test('Each stretch is under the day of the zone on which it begins.', () => {
    const stretches = finalStretches(timeline(layer([period('ada', 0, 8), period('grace', 8, 24)])));
    expect(byDay(stretches, 'America/New_York').map(({ date, stretches: of }) => [date, of.length])).toEqual([
      ['2026-01-04', 1],
      ['2026-01-05', 1],
    ]);
  });
});

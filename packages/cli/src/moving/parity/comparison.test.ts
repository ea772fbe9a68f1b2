import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Layer, Period } from '../../timeline.ts';
import { changesOf, differencesOf, lengthOf } from './comparison.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-02T00:00:00Z');
const RANGE = { from: START, until: START + 48 * HOUR_MS };

const at = (hour: number): string => new Date(START + hour * HOUR_MS).toISOString();

/** A period from one hour to another. */
const period = (from: number, until: number, name: string, type = 'user'): Period => ({
  ...{ startDate: at(from), endDate: at(until), type: 'default' },
  recipient: { type, ...(type !== 'none' && { id: `id-of-${name}`, name }) },
});
const layer = (...rotations: (readonly Period[])[]): Layer => ({
  rotations: rotations.map((periods, n) => ({ name: `rotation ${n}`, periods })),
});
const hours = (difference: { readonly from: number; readonly until: number }) =>
  [difference.from, difference.until].map((each) => (each - START) / HOUR_MS);

const DAYS = layer([period(0, 24, 'ada'), period(24, 48, 'bob')]);

describe('two layers', () => {
  it('do not differ where a shift is cut into periods, rotations are in another order, or names are in other letter case', () => {
    const cut = layer(
      [period(12, 24, 'Ada'), period(0, 12, 'ADA')],
      [period(24, 48, 'bob'), period(10, 11, '', 'none')],
    );
    expect(differencesOf(DAYS, cut, RANGE)).toEqual([]);
  });

  it('differ for exactly as long as a hand-off is later', () => {
    const later = layer([period(0, 24.5, 'ada'), period(24.5, 48, 'bob')]);
    const differences = differencesOf(DAYS, later, RANGE);
    expect(differences.map(hours)).toEqual([[24, 24.5]]);
    expect(differences).toMatchObject([
      { opsgenie: ['bob'], tocsin: ['ada'], onlyOpsgenie: ['bob'], onlyTocsin: ['ada'] },
    ]);
    expect(lengthOf(differences)).toBe(HOUR_MS / 2);
  });

  it('differ where a user is on call twice on one side, and where one is missing', () => {
    const twice = layer([period(0, 24, 'ada'), period(24, 48, 'bob')], [period(0, 6, 'ada')]);
    const differences = differencesOf(twice, DAYS, RANGE);
    expect(differences).toMatchObject([
      { opsgenie: ['ada', 'ada'], tocsin: ['ada'], onlyOpsgenie: ['ada'], onlyTocsin: [] },
    ]);
    expect(differences.map(hours)).toEqual([[0, 6]]);
    expect(differencesOf(layer(), layer(), RANGE)).toEqual([]);
    expect(differencesOf(DAYS, layer(), RANGE).map(hours)).toEqual([
      [0, 24],
      [24, 48],
    ]);
  });

  it('differ where a team of the same name as a user is on call, and by id where a recipient has no name', () => {
    const named = layer([period(0, 48, 'ada')]);
    expect(differencesOf(named, layer([period(0, 48, 'ada', 'team')]), RANGE)).toMatchObject([
      { tocsin: ['team ada'] },
    ]);
    const { recipient, ...rest } = period(0, 48, 'ada');
    const deleted = layer([{ ...rest, recipient: { type: recipient.type, id: 'x' } }]);
    expect(differencesOf(deleted, deleted, RANGE)).toEqual([]);
    expect(differencesOf(deleted, layer(), RANGE)).toMatchObject([{ opsgenie: ['x'] }]);
  });

  it('are compared within the range alone', () => {
    const wider = layer(
      [period(-100, 24, 'ada'), period(24, 200, 'bob')],
      [period(48, 60, 'cyd'), period(-9, 0, 'dan')],
    );
    expect(differencesOf(wider, DAYS, RANGE)).toEqual([]);
    expect(changesOf(wider, RANGE)).toEqual([START + 24 * HOUR_MS]);
  });

  const periods = fc.array(
    fc.tuple(fc.integer({ min: -5, max: 50 }), fc.integer({ min: 0, max: 20 }), fc.constantFrom('ada', 'bob', 'cyd')),
    { maxLength: 12 },
  );
  const recipientsAt = (of: Layer, instant: number): readonly string[] =>
    of.rotations
      .flatMap((rotation) => rotation.periods)
      .filter(({ endDate, startDate }) => Date.parse(startDate) <= instant && instant < Date.parse(endDate))
      .map(({ recipient }) => recipient.name ?? '')
      .toSorted();

  it('differ at an instant exactly where other recipients are on call', () => {
    fc.assert(
      fc.property(periods, periods, (one, two) => {
        const [opsgenie, tocsin] = [one, two].map((each) =>
          layer(each.map(([from, length, name]) => period(from, from + length, name))),
        );
        if (opsgenie === undefined || tocsin === undefined) throw new Error('there are two');
        const differences = differencesOf(opsgenie, tocsin, RANGE);
        for (let hour = 0; hour < 48; hour += 1) {
          const instant = START + hour * HOUR_MS;
          const isDifferent = recipientsAt(opsgenie, instant).join() !== recipientsAt(tocsin, instant).join();
          expect(differences.some(({ from, until }) => from <= instant && instant < until)).toBe(isDifferent);
        }
      }),
    );
  });
});

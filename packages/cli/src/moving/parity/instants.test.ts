import { describe, expect, it } from '@jest/globals';
import { clockChanges, instantsOf } from './instants.ts';

const HOUR_MS = 3_600_000;
const RANGE = { from: Date.parse('2026-11-30T12:34:56Z'), until: Date.parse('2027-12-30T12:34:56Z') };
const NONE = { range: RANGE, zones: [], handOffs: [], maxHandOffs: 200, random: 0, seed: 1 };

describe('changes of the clock', () => {
  it.each([
    ['Europe/Berlin', ['2027-03-28T01:00:00Z', '2027-10-31T01:00:00Z']],
    ['America/New_York', ['2027-03-14T07:00:00Z', '2027-11-07T06:00:00Z']],
    ['Australia/Lord_Howe', ['2027-04-03T15:00:00Z', '2027-10-02T15:30:00Z']],
    ['Asia/Kolkata', []],
    ['UTC', []],
  ])('of %s are found to the second', (zone, expected) => {
    expect(clockChanges(zone, RANGE)).toEqual(expected.map((each) => Date.parse(each)));
  });

  it('are none of a zone that there is not', () => {
    expect(() => clockChanges('Europe/Nowhere', RANGE)).toThrow(RangeError);
  });
});

describe('the instants at which sides are compared', () => {
  it('are every 15 minutes within 3 hours of a change of the clock, once for all zones with that change', () => {
    const instants = instantsOf({ ...NONE, zones: ['Europe/Berlin', 'Europe/Paris', 'Europe/Berlin'] });
    const change = Date.parse('2027-03-28T01:00:00Z');
    const first = Array.from({ length: 25 }, (_, n) => change - 3 * HOUR_MS + (n * HOUR_MS) / 4);
    expect(instants.slice(0, 25)).toEqual(first);
    expect(instants).toHaveLength(50);
  });

  it('are one second before and after hand-offs, of which no more are taken than asked for', () => {
    const handOff = Date.parse('2027-01-01T08:00:00Z');
    expect(instantsOf({ ...NONE, handOffs: [handOff, handOff] })).toEqual([handOff - 1_000, handOff + 1_000]);
    const many = Array.from({ length: 1_000 }, (_, n) => handOff + n * HOUR_MS);
    expect(instantsOf({ ...NONE, handOffs: many, maxHandOffs: 7 })).toHaveLength(14);
  });

  it('are drawn at random over the whole range, the same ones by the same seed', () => {
    const drawn = instantsOf({ ...NONE, random: 500 });
    expect(drawn).toEqual(instantsOf({ ...NONE, random: 500 }));
    expect(drawn).not.toEqual(instantsOf({ ...NONE, random: 500, seed: 2 }));
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
    const months = new Set(drawn.map((each) => new Date(each).toISOString().slice(0, 7)));
    expect(months.size).toBe(14);
    for (const each of drawn) expect(each >= RANGE.from && each < RANGE.until).toBe(true);
  });

  it('are none outside the range', () => {
    expect(instantsOf({ ...NONE, handOffs: [RANGE.from, RANGE.until] })).toEqual([
      RANGE.from + 1_000,
      RANGE.until - 1_000,
    ]);
  });
});

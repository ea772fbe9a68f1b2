import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DivergenceError, LimitedFaults, ReplayedChoices, SeededChoices } from './choices.ts';

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const counts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 50 });

describe('choices of a seed', () => {
  it('are the same in each run, and each possible', () => {
    fc.assert(
      fc.property(seeds, counts, (seed, asked) => {
        const [one, other] = [new SeededChoices(seed), new SeededChoices(seed)];
        for (const count of asked) {
          const value = one.choose('any', count);
          expect(value).toBe(other.choose('any', count));
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(count);
        }
      }),
    );
  });

  it('take every value, also of neighbouring seeds', () => {
    const first = Array.from({ length: 200 }, (_, seed) => new SeededChoices(seed).choose('any', 5));
    expect(new Set(first)).toEqual(new Set([0, 1, 2, 3, 4]));
  });
});

describe('a replay', () => {
  it('gives the choices of the record', () => {
    fc.assert(
      fc.property(seeds, counts, (seed, asked) => {
        const seeded = new SeededChoices(seed);
        const values = asked.map((count) => seeded.choose('any', count));
        const replay = new ReplayedChoices(seeded.record);
        expect(asked.map((count) => replay.choose('any', count))).toEqual(values);
        expect(replay.isFinished).toBe(true);
      }),
    );
  });

  it.each([
    ['another choice', 'other', 3],
    ['more possibilities', 'first', 4],
  ])('fails where the run asks for %s', (_, name, count) => {
    const replay = new ReplayedChoices([{ name: 'first', count: 3, value: 2 }]);
    expect(() => replay.choose(name, count)).toThrow(DivergenceError);
  });

  it('fails where the run asks for more than was recorded', () => {
    expect(() => new ReplayedChoices([]).choose('first', 1)).toThrow('asked for nothing more there');
  });
});

describe('limited faults', () => {
  const names = fc.array(fc.constantFrom('fault', 'slow', 'next operation'), { minLength: 1, maxLength: 50 });

  it('are those of the seed without the others, in whose place the choice is the number of the possibilities', () => {
    fc.assert(
      fc.property(seeds, names, fc.array(fc.nat(20)), (seed, asked, kept) => {
        const [all, limited] = [
          new LimitedFaults(new SeededChoices(seed), undefined),
          new LimitedFaults(new SeededChoices(seed), new Set(kept)),
        ];
        const values = asked.map((name) => [all.choose(name, 4), limited.choose(name, 4)] as const);
        const leftOut = values.filter(([chosen, other]) => other !== chosen);
        expect(leftOut.every(([, other]) => other === 4)).toBe(true);
        expect(limited.happened).toEqual(all.happened.filter((number) => kept.includes(number)));
        expect(leftOut).toHaveLength(all.happened.length - limited.happened.length);
        const isFault = (name: string, value: number) => value < (name === 'slow' ? 1 : name === 'fault' ? 2 : 0);
        const faults = asked.filter((name, at) => isFault(name, values[at]?.[0] ?? 4));
        expect(all.happened).toHaveLength(faults.length);
      }),
    );
  });
});

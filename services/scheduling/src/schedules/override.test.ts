import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasTooManyOverrides, withOverride, type Override } from './override.ts';

const overrideOf = (alias: string, over: Partial<Override> = {}): Override => ({
  alias,
  user: { type: 'none' },
  startAt: new Date('2026-01-01T00:00:00Z'),
  endAt: new Date('2026-01-02T00:00:00Z'),
  rotationIds: undefined,
  ...over,
});
const aliases = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1 });

describe('withOverride', () => {
  it('puts a new one last, and one with a known alias in its place, so that a repeat has no effect', () => {
    fc.assert(
      fc.property(aliases, fc.nat(), fc.string(), (present, index, fresh) => {
        const overrides = present.map((alias) => overrideOf(alias));
        const known = present[index % present.length] ?? '';
        const replaced = withOverride(overrides, overrideOf(known, { rotationIds: ['day'] }));
        expect(replaced.map(({ alias }) => alias)).toEqual(present);
        expect(replaced.find(({ alias }) => alias === known)?.rotationIds).toEqual(['day']);
        const once = withOverride(overrides, overrideOf(fresh));
        expect(withOverride(once, overrideOf(fresh))).toEqual(once);
        expect(present.includes(fresh) || once.at(-1)?.alias === fresh).toBe(true);
      }),
    );
  });
});

describe('hasTooManyOverrides', () => {
  it('is true of more than 1000, and of those that name more than 10000 rotations together', () => {
    const many = (count: number, rotationIds?: readonly string[]) =>
      Array.from({ length: count }, (_, n) => overrideOf(`${n}`, { rotationIds }));
    const ten = Array.from({ length: 10 }, (_, n) => `${n}`);
    expect(
      [many(1_000), many(1_001), many(1_000, ten), many(910, [...ten, 'one more'])].map(hasTooManyOverrides),
    ).toEqual([false, true, false, true]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sizeOf, unionOf, upTo, without, type NumberRanges } from './number-ranges.ts';

const ranges = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 12 })).map(([first, more]) => [first, first + more] as const),
  { maxLength: 10 },
);
const numbersOf = (some: NumberRanges): ReadonlySet<number> =>
  new Set(some.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)));
const isApart = (some: NumberRanges) =>
  some.every(([first], index) => index === 0 || first > (some[index - 1]?.[1] ?? 0) + 1);

describe('ranges of numbers', () => {
  it('have the numbers of a set: union, difference, and what lies below', () => {
    fc.assert(
      fc.property(ranges, ranges, fc.integer({ min: 0, max: 80 }), (some, others, last) => {
        const union = unionOf([...some, ...others]);
        expect(numbersOf(union)).toEqual(new Set([...numbersOf(some), ...numbersOf(others)]));
        expect(isApart(union)).toBe(true);
        const left = without(some, others);
        expect(numbersOf(left)).toEqual(new Set([...numbersOf(some)].filter((each) => !numbersOf(others).has(each))));
        expect(isApart(left)).toBe(true);
        expect(numbersOf(upTo(union, last))).toEqual(new Set([...numbersOf(union)].filter((each) => each <= last)));
        expect(sizeOf(union)).toBe(numbersOf(union).size);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { detailsLength } from '@tocsin/api';
import { codePoints } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { clipped, fittingDetails, fittingWords } from './excess.ts';

const words = fc.array(fc.string({ unit: anyCodePoint, maxLength: 12 }), { maxLength: 12 });
const details = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 6 }),
  fc.string({ unit: anyCodePoint, maxLength: 12 }),
);
const limits = fc.integer({ min: 1, max: 40 });

describe('what is over a limit', () => {
  it('is always cut to the limit, and said exactly when something was cut (E8)', () => {
    fc.assert(
      fc.property(words, limits, limits, (list, max, maxLength) => {
        const { kept, cut } = fittingWords('tags', list, max, maxLength);
        expect(kept.length).toBe(Math.min(list.length, max));
        expect(kept.every((word, at) => codePoints(word) <= maxLength && list[at]?.startsWith(word))).toBe(true);
        expect(cut.length > 0).toBe(JSON.stringify(kept) !== JSON.stringify(list));
      }),
    );
  });

  it('is never more of the details than fits, and what fits as a whole is kept as it is', () => {
    fc.assert(
      fc.property(details, limits, (map, max) => {
        const { kept, cut } = fittingDetails(map, max);
        expect(detailsLength(kept)).toBeLessThanOrEqual(max);
        expect(map).toMatchObject(kept);
        expect(cut.length > 0).toBe(detailsLength(map) > max);
      }),
    );
  });

  it('is named, however much it is, in one short sentence', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${'k'.repeat(60)}${at}`, 'v']));
    const [sentence = ''] = fittingDetails(many, 10).cut;
    expect(sentence).toContain('and 95 more were left out');
    expect(sentence.length).toBeLessThan(400);
  });

  it('leaves a list of the limit alone', () => {
    expect(clipped('tags', ['a', 'b'], 2)).toEqual({ kept: ['a', 'b'], cut: [] });
  });
});

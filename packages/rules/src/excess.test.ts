import { describe, expect, it } from '@jest/globals';
import { detailsLength } from '@tocsin/api';
import { codePoints } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { clipped, fittingDetails, fittingText, fittingWords, shortened } from './excess.ts';

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

  it('is said with what was left out and how much was cut', () => {
    expect(clipped('tags', ['a', 'b', 'c'], 1).cut).toEqual(['tags: 2 of 3 items were left out.']);
    expect(fittingWords('tags', ['abc', 'd'], 2, 2)).toEqual({
      ...{ kept: ['ab', 'd'], cut: ['tags: 1 items were cut to 2 characters.'] },
    });
    expect(fittingText('note', 'abc', 2)).toEqual({ kept: 'ab', cut: ['note: was cut to 2 characters.'] });
    expect(fittingText('note', 'ab', 2)).toEqual({ kept: 'ab', cut: [] });
  });

  it('is named by its key where it is one of the details, and details that fill the limit are kept', () => {
    expect(fittingDetails({ a: 'bcd', e: 'f' }, 4).cut).toEqual(['details: [e] was left out, over 4 characters.']);
    expect(fittingDetails({ a: 'bcd', e: 'f', g: 'h' }, 4).cut).toEqual([
      'details: [e], [g] were left out, over 4 characters.',
    ]);
    expect(fittingDetails({ a: '😀😀😀' }, 4)).toEqual({ kept: { a: '😀😀😀' }, cut: [] });
  });

  it('is never half of a character', () => {
    expect([shortened('😀😀', 1), shortened('a😀b', 2), shortened('ab', 2)]).toEqual(['😀', 'a😀', 'ab']);
  });

  it('leaves a list of the limit alone', () => {
    expect(clipped('tags', ['a', 'b'], 2)).toEqual({ kept: ['a', 'b'], cut: [] });
  });
});

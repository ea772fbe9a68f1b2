import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from './any-code-point.ts';

describe('anyCodePoint', () => {
  it('is one code point and no surrogate, from the first to the last', () => {
    fc.assert(
      fc.property(anyCodePoint, (character) => {
        expect(character).toBe(String.fromCodePoint(character.codePointAt(0) ?? -1));
        expect(character.isWellFormed()).toBe(true);
      }),
    );
  });

  it('lets a string be one of the words that break programs, and shrink', () => {
    const texts = fc.string({ unit: anyCodePoint });
    expect(fc.sample(texts, { numRuns: 3_000, seed: 1 })).toContain('__proto__');
    expect(fc.check(fc.property(texts, (text) => text.length < 3)).counterexample?.[0]).toHaveLength(3);
  });
});

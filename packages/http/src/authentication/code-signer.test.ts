import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CodeSigner } from './index.ts';

const OLD = 'the old signing key of the installation';
const NEW = 'the new signing key of the installation';

describe('a short code', () => {
  it('is five letters that make no word, and the same for the same subject', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (subject) => {
        const code = new CodeSigner([OLD]).codeOf(subject);
        expect(code).toMatch(/^[bcdfghjkmnpqrstvwxz]{5}$/);
        expect(new CodeSigner([OLD, NEW]).codeOf(subject)).toBe(code);
      }),
    );
  });

  it('is another for another subject, and of another key', () => {
    const codes = Array.from({ length: 1_000 }, (_, index) => new CodeSigner([OLD]).codeOf(`page ${index}`));
    expect(new Set(codes).size).toBeGreaterThan(990);
    expect(new CodeSigner([NEW]).codeOf('page 1')).not.toBe(codes[1]);
  });

  it('is made of one or two keys, none of them blank', () => {
    expect(() => new CodeSigner([])).toThrow(RangeError);
    expect(() => new CodeSigner([' '])).toThrow(RangeError);
  });
});

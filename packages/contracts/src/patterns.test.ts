import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { compilePattern, patternProblem, patternSize } from './patterns.ts';

const matches = (pattern: string, text: string) => compilePattern(pattern)?.matcher(text).matches();

describe('compilePattern', () => {
  it('means the whole of a text, line ends included (P3)', () => {
    expect(matches('disk', 'disk full')).toBe(false);
    expect(matches('disk.*', 'disk\nfull')).toBe(true);
  });

  it('takes linear time where backtracking would never end', () => {
    expect(matches('(a+)+', `${'a'.repeat(15_000)}!`)).toBe(false);
  });

  it.each(['[', '(', 'a{2,1}', '(?=a)', '\\'])('is undefined for %j, which does not compile', (pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
    expect(patternProblem(pattern)).toBe('should be a valid regular expression');
  });

  it.each([
    'a'.repeat(1_000),
    '[a-z]{1000}',
    '(?i)\\Qa.b{9}\\E.*',
    '(\\d{1,3}\\.){3}\\d{1,3}(,(\\d{1,3}\\.){3}\\d{1,3})*',
  ])('takes %j', (pattern) => {
    expect(compilePattern(pattern)).toBeDefined();
    expect(patternProblem(pattern)).toBeUndefined();
  });

  it.each(['a{1000}'.repeat(3), '((a{30}){30}){30}', `(${'a'.repeat(500)}){9}`, '(.*a.*){1000}', '([^a]?){700,1000}'])(
    'refuses %j, which would cost too much for each character',
    (pattern) => {
      expect(compilePattern(pattern)).toBeUndefined();
      expect(patternProblem(pattern)).toBe('repeats too much for a regular expression');
    },
  );
});

describe('patternSize', () => {
  const pieces = fc.constantFrom(
    ...['a', 'é', '.', '\\d', '\\p{L}', '[^a-f]', '[]a]', '\\Qab{9}\\E', '(', '(?:', ')', '|', '*', '+', '?', '{3}'],
    ...['{2,}', '{1,4}', '{0}', '\\{5}', '^', '$', '\\x{41}'],
  );
  const compiled = (pattern: string) => {
    try {
      return RE2JS.compile(pattern, RE2JS.DOTALL);
    } catch {
      return undefined;
    }
  };

  it('is never far below the size of the compiled pattern', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const size = compiled(parts.join(''))?.programSize() ?? 0;
        expect(size).toBeLessThanOrEqual(2 * patternSize(parts.join('')) + 8);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes no more time than the text is long', () => {
    for (const piece of ['[', '\\Q', '\\p{', '(', '{1']) expect(patternSize(piece.repeat(500_000))).toBeGreaterThan(0);
  });
});

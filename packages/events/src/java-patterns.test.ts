// cspell:ignore Punct
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { translatedPattern } from './java-patterns.ts';
import { compilePattern, patternProblem } from './patterns.ts';

/** Of these the pattern means each. */
const ANY = ['a', 'b', 'z', 'A', 'B', '1', '_', '-', '&', ':', '[', ']', ' ', '\t', '\n', '\r', '\v', '\f'].concat([
  '\r\n',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u1680',
  '\u00e9',
  '\u03a9',
  '\u{1f600}',
  '\u001b',
  'aa',
  'ab',
  '',
]);
const meant = (pattern: string) => ANY.filter((text) => compilePattern(pattern)?.matches(text));

describe('a pattern of Java (P3): what it means there it means here', () => {
  it.each([
    ['\\h', [' ', '\t', '\u00a0', '\u1680']],
    ['[\\h&&[^ ]]', ['\t', '\u00a0', '\u1680']],
    ['\\v', ['\n', '\r', '\v', '\f', '\u0085', '\u2028']],
    ['[^\\V\\n]', ['\r', '\v', '\f', '\u0085', '\u2028']],
    ['\\R', ['\n', '\r', '\v', '\f', '\r\n', '\u0085', '\u2028']],
    ['\\s', [' ', '\t', '\n', '\r', '\v', '\f']],
    ['[^\\S ]', ['\t', '\n', '\r', '\v', '\f']],
    ['\\Aa\\Z', ['a']],
    ['\\u0061|\\uD83D\\uDE00|\\x{e9}|\\0101|\\e', ['a', 'A', '\u00e9', '\u{1f600}', '\u001b']],
    ['[\\cI-\\cK\\x41]', ['A', '\t', '\n', '\v']],
    ['\\p{Alpha}', ['a', 'b', 'z', 'A', 'B']],
    ['\\p{Upper}|\\p{Digit}', ['A', 'B', '1']],
    ['[\\p{Punct}&&[^:]]', ['_', '-', '&', '[', ']']],
    ['\\p{IsL}|\\p{gc=Nd}', ['a', 'b', 'z', 'A', 'B', '1', '\u00e9', '\u03a9']],
    ['\\p{IsGREEK}|\\p{script=Greek}', ['\u03a9']],
    ['[\\p{L}1&]', ['a', 'b', 'z', 'A', 'B', '1', '&', '\u00e9', '\u03a9']],
    ['[a-z&&[^b]]', ['a', 'z']],
    ['[a-z&&[^b]&&[ab]]', ['a']],
    [`[a-z${'&&[^b]'.repeat(8)}]`, ['a', 'z']],
    ['[a&&b]', []],
    ['[\\w&&x]|b', ['b']],
    ['[a[b]]', ['a', 'b']],
    ['[^\\x{0}-@[C-\\x{10ffff}]&&[^:]]', ['A', 'B', ':']],
    ['[a[^\\x00-\\x{10ffff}]]', ['a']],
    ['[]a&-]', ['a', '-', '&', ']']],
    ['[\\Q[-]\\E]', ['-', '[', ']']],
    ['(?i)[a-z&&[^b]]', ['a', 'z', 'A']],
    ['(?i:x)|[a-z&&[^b]]', ['a', 'z']],
    ['(?i)(?-i:b|[a&&[^A]])', ['a', 'b']],
    ['(?iu)A', ['a', 'A']],
    ['\\Q[\\E|\\-|\\_', ['_', '-', '[']],
    ['a{1,2}?|(?<one>b)', ['a', 'b', 'aa']],
  ])('%j', (pattern, texts) => {
    expect(meant(pattern).sort()).toEqual([...texts].sort());
  });
});

describe('a pattern that can not be the same here', () => {
  const ELSEWHERE = 'use another condition for that text';
  const NOT = 'use another condition, with not, for the text that may not stand there';
  it.each([
    ['(?=a)a', `has a look-ahead, "(?=", which is not supported: ${ELSEWHERE}`],
    ['.*disk(?!.*test).*', `has a look-ahead, "(?!", which is not supported: ${NOT}`],
    ['(?<=a)b', `has a look-behind, "(?<=", which is not supported: ${ELSEWHERE}`],
    ['(?<!a)b', `has a look-behind, "(?<!", which is not supported: ${NOT}`],
    ['a*+', 'has a possessive quantifier, "*+": write it without its last "+", nothing here goes back'],
    ['a{2}+', 'has a possessive quantifier, "{2}+": write it without its last "+", nothing here goes back'],
    ['(?>a)', 'has an atomic group, "(?>": write "(?:", nothing here goes back'],
    [
      '(a)\\1',
      'has a back-reference, "\\1", which is not supported: write the text out, or use a condition for each text',
    ],
    [
      '(?<n>a)\\k<n>',
      'has a back-reference, "\\k", which is not supported: write the text out, or use a condition for each text',
    ],
    ['(?U)\\w', 'has the flag "U", which is not supported: write the pattern without it'],
    ['(?x)a b', 'has the flag "x", which is not supported: write the pattern without it'],
    ['[[:alpha:]]', 'has "[:alpha:]", which means its letters in Java\'s patterns: write "\\p{Alpha}" and the like'],
    [
      '[\\p{L}&&[^\\p{Lu}]]',
      'combines a property such as "\\p{L}" with other classes: use two conditions, one with not where it excludes',
    ],
    ['[a&&]', 'has "&&" without a class on both sides'],
    [`[a${'&&[^b]'.repeat(9)}]`, 'combines more than 8 classes with "&&" in one: use more than one condition'],
    ['[a&&&b]', 'has "&&&": write "&&", and "\\&" for the character'],
    ['[z-a]', 'has a class with a range that has no end'],
    ['[a[b]', 'has a class without its closing bracket'],
    ['\\X', 'has an escape that is not known, "\\X"'],
    ['\\p{InGreek}', 'should be a valid regular expression'],
    ['[\\p{x}', 'has a class without its closing bracket'],
    [`${'['.repeat(20)}a${']'.repeat(20)}`, 'nests classes too deep'],
  ])('%s is refused in a sentence that says why', (pattern, said) => {
    expect(compilePattern(pattern)).toBeUndefined();
    expect(patternProblem(pattern)).toBe(said);
  });
});

describe('translatedPattern', () => {
  it('never throws, takes linear time, and gives what the engine reads the same when it is translated again', () => {
    const pieces = fc.constantFrom(
      ...[
        '[',
        ']',
        '^',
        '&&',
        '\\',
        '\\Q',
        '\\E',
        '(',
        ')',
        '(?i)',
        '(?:',
        '|',
        'a',
        'b-',
        '-',
        '\\p{L}',
        '\\s',
        '{2}',
        '*',
        'é',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const first = translatedPattern(parts.join(''));
        if ('refused' in first) return;
        const again = translatedPattern(first.written);
        const compiled = [first, again].map((each) => {
          try {
            return 'refused' in each ? each.refused : RE2JS.compile(each.written, RE2JS.DOTALL);
          } catch {
            return undefined;
          }
        });
        const [one, other] = compiled.map((each) =>
          each instanceof RE2JS ? ANY.filter((text) => each.testExact(text)) : each,
        );
        expect(other).toEqual(one);
      }),
    );
    for (const piece of ['[', '[a', '\\Q', '(?', '[a&&', '\\', '\\p{', '(?i'])
      expect(Object.keys(translatedPattern(piece.repeat(100_000)))).toHaveLength(1);
  });
});

import { expect, it } from '@jest/globals';
import { abbreviated } from './abbreviated.ts';

it('keeps a text on the line of its sentence, whatever it holds', () => {
  expect(abbreviated('Nights]\r\nAlert was closed by [eve\u202E\u2028\u0085\u0000\t')).toBe(
    'Nights]  Alert was closed by [eve     ',
  );
});

it.each([
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  ['😀😀😀', '😀😀😀'],
  ['😀😀😀😀', '😀😀😀…'],
  ['a\nb', 'a b'],
])('leaves %j at three code points as %j', (text, expected) => {
  expect(abbreviated(text, 3)).toBe(expected);
});

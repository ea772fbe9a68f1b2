import { describe, expect, test } from '@jest/globals';
import { linesOf, linesText } from './lines.ts';
import { mapOfPairs, pairsOf } from './pairs.ts';

describe('the lines of a field', () => {
  test('Each line is a text, without the space around it, and a blank line is none.', () => {
    expect(linesOf(' db \n\n{{ message.substringBetween("a", "b") }}\n')).toEqual([
      'db',
      '{{ message.substringBetween("a", "b") }}',
    ]);
  });

  test('Texts that were not changed stay as they are, also those of two lines.', () => {
    const texts = ['first\nsecond', ' third '];

    expect(linesOf(linesText(texts), texts)).toBe(texts);
  });
});

describe('the names and values of a field', () => {
  test('They are a map. A row in which nothing is typed is left out, and a value without a name is not.', () => {
    expect(mapOfPairs([...pairsOf({ host: ' a ' }), { name: ' port ', value: '1' }, { name: ' ', value: '' }])).toEqual(
      {
        host: ' a ',
        port: '1',
      },
    );
    expect(mapOfPairs([{ name: '', value: 'lost' }])).toEqual({ '': 'lost' });
  });
});

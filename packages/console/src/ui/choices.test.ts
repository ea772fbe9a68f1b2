import { describe, expect, test } from '@jest/globals';
import { choicesFor, listKey } from './choices.ts';

const ADA = { key: '1', name: 'Ada King', hint: 'ada@example.com' };
const GRACE = { key: '2', name: 'Grace Hopper', hint: 'grace@example.com' };

describe('the choices of a field', () => {
  test('They have every word of the text, in the name or in the hint, in any case.', () => {
    expect(choicesFor([ADA, GRACE], 'king ADA@')).toEqual([ADA]);
    expect(choicesFor([ADA, GRACE], 'example')).toEqual([ADA, GRACE]);
    expect(choicesFor([ADA, GRACE], 'ada hopper')).toEqual([]);
    expect(choicesFor([ADA, GRACE], ' ')).toEqual([ADA, GRACE]);
  });

  test('Of many the first ones are shown.', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ key: String(index), name: `Person ${index}` }));

    expect(choicesFor(many, 'person')).toEqual(many.slice(0, 8));
  });
});

describe('the keys of a field with choices', () => {
  test('Arrows go round the list, from outside of it to its first or last choice.', () => {
    expect(listKey('ArrowDown', -1, 3)).toEqual({ kind: 'mark', index: 0 });
    expect(listKey('ArrowDown', 2, 3)).toEqual({ kind: 'mark', index: 0 });
    expect(listKey('ArrowUp', -1, 3)).toEqual({ kind: 'mark', index: 2 });
    expect(listKey('ArrowUp', 1, 3)).toEqual({ kind: 'mark', index: 0 });
  });

  test('Enter chooses what is marked, and sends the form where nothing is.', () => {
    expect(listKey('Enter', 1, 3)).toEqual({ kind: 'choose', index: 1 });
    expect(listKey('Enter', -1, 3)).toBeUndefined();
  });

  test('Escape closes the list; every other key, and each key without a list, is that of the field.', () => {
    expect(listKey('Escape', 0, 3)).toEqual({ kind: 'close' });
    expect(listKey('a', 0, 3)).toBeUndefined();
    expect(listKey('Escape', -1, 0)).toBeUndefined();
  });
});

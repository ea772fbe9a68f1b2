import { describe, expect, test } from '@jest/globals';
import { choiceOf, searchesFor, searchWord } from './people.ts';

describe('the search for people', () => {
  test('It takes the first word of what was typed, without signs that a search reads as its own.', () => {
    expect(searchWord('  Ada King')).toBe('ada');
    expect(searchWord('ad*')).toBe('ad');
    expect(searchWord('ad"a')).toBe('ad');
    expect(searchWord(' ')).toBe('');
  });

  test('It finds the beginning of the full name, and of the user name.', () => {
    expect(searchesFor('ada')).toEqual(['fullName:ada*', 'username:ada*']);
  });

  test('A field offers people by their full name, with the user name beside it.', () => {
    const ada = { id: 'u1', fullName: 'Ada King', username: 'ada@example.com' };

    expect(choiceOf(ada)).toEqual({
      key: 'u1',
      name: 'Ada King',
      hint: 'ada@example.com',
      username: 'ada@example.com',
    });
  });
});

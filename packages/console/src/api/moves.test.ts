import { describe, expect, test } from '@jest/globals';
import { placeAfterMove } from './moves.ts';

const list = (...ids: readonly string[]) => ids.map((id) => ({ id }));

describe('the place of an entry after a move', () => {
  test.each([
    [-1, 0],
    [1, 2],
  ] as const)('By %p it is %p.', (by, place) => {
    expect(placeAfterMove({ id: 'b', by, seen: list('a', 'b', 'c') }, list('a', 'b', 'c'))).toBe(place);
  });

  test.each([
    ['moved one', list('b', 'a', 'c')],
    ['added one', list('a', 'b', 'c', 'd')],
    ['removed it', list('a', 'c')],
    ['replaced it', list('a', 'd', 'c')],
  ])('It is refused where another person %s since the list was shown.', (_, now) => {
    expect(() => placeAfterMove({ id: 'b', by: 1, seen: list('a', 'b', 'c') }, now)).toThrow(
      'Another person changed the order.',
    );
  });
});

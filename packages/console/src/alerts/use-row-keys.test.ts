import { describe, expect, test } from '@jest/globals';
import { rowAfter } from './use-row-keys.ts';

describe('the keys of the list', () => {
  test('They go to the next and the previous row, and stop at both ends.', () => {
    expect(rowAfter('j', -1, 3)).toBe(0);
    expect(rowAfter('j', 1, 3)).toBe(2);
    expect(rowAfter('j', 2, 3)).toBe(2);
    expect(rowAfter('k', 2, 3)).toBe(1);
    expect(rowAfter('k', 0, 3)).toBe(0);
    expect(rowAfter('x', 0, 3)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { InvariantError, isDefect, NotFoundError } from './index.ts';

describe('isDefect', () => {
  it.each([
    new TypeError('undefined is not a function'),
    new RangeError('Invalid time value'),
    new ReferenceError('x is not defined'),
    new SyntaxError('Unexpected token'),
    new InvariantError('A run without a rule.'),
  ])('holds for %s', (error) => {
    expect(isDefect(error)).toBe(true);
  });

  it.each([
    new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }),
    new Error('whatever'),
    new NotFoundError('No such team.'),
    'boom',
  ])('does not hold for %s', (error) => {
    expect(isDefect(error)).toBe(false);
  });
});

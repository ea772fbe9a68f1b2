import { describe, expect, it } from '@jest/globals';
import type { Condition } from './condition-subject.ts';
import { failedCondition, noneHolds } from './failed-condition.ts';

const contains = (field: string, over: Partial<Condition> = {}): Condition => ({
  ...{ field, not: false, operation: 'contains', expectedValue: 'db' },
  ...over,
});

describe('a condition that does not hold', () => {
  it('is named without what it expects, which comes apart', () => {
    expect(failedCondition(contains('message'), { message: 'web' })).toEqual({
      ...{ condition: 'message contains […]', expected: 'db', met: 'web' },
    });
    expect(failedCondition(contains('message', { key: '', not: true }), { message: 'db' }).condition).toBe(
      'message not contains […]',
    );
  });

  it('that expects nothing has no expected value', () => {
    const empty = contains('tags', { operation: 'is-empty', expectedValue: '' });
    expect(failedCondition(empty, { tags: ['a', 'b'] })).toEqual({ condition: 'tags is-empty', met: 'a, b' });
  });

  it('has the key of a map, and the first five items of what it met', () => {
    const details = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, '1']));
    expect(failedCondition(contains('details'), { details }).met).toBe('a: 1, b: 1, c: 1, d: 1, e: 1');
    expect(failedCondition(contains('details', { key: 'a' }), { details })).toMatchObject({
      ...{ condition: 'details.a contains […]', met: '1' },
    });
    expect(failedCondition(contains('tags'), { tags: ['1', '2', '3', '4', '5', '6'] }).met).toBe('1, 2, 3, 4, 5');
  });

  it('among several is counted', () => {
    expect(noneHolds(3)).toEqual({ condition: 'none of 3 conditions holds' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { MATCH_ALL, type ConditionSet } from '@tocsin/contracts';
import fc from 'fast-check';
import { compileConditions, compilePattern, type ConditionSubject } from './conditions.ts';

type Condition = ConditionSet['conditions'][number];

const OPERATIONS = [
  'matches',
  'contains',
  'starts-with',
  'ends-with',
  'equals',
  'contains-key',
  'contains-value',
  'greater-than',
  'less-than',
  'is-empty',
  'equals-ignore-whitespace',
] as const;

const diskFull: ConditionSubject = {
  message: 'Disk full on db-7',
  description: '',
  tags: ['db', 'critical'],
  'extra-properties': { region: 'eu', load: '97' },
  priority: 'P1',
};

const holds = (condition: Partial<Condition> & Pick<Condition, 'field' | 'operation'>, subject = diskFull) =>
  compileConditions({
    type: 'match-all-conditions',
    conditions: [{ not: false, expectedValue: '', ...condition }],
  })(subject);

describe('a condition', () => {
  it.each([
    ['message', 'contains', 'full', true],
    ['message', 'contains', 'Full', false],
    ['message', 'starts-with', 'Disk', true],
    ['message', 'ends-with', 'db-7', true],
    ['message', 'equals', 'Disk full', false],
    ['message', 'equals-ignore-whitespace', 'Diskfull ondb-7', true],
    ['message', 'matches', 'Disk .*-[0-9]+', true],
    ['message', 'matches', 'full', false],
    ['message', 'matches', '(', false],
    ['description', 'is-empty', '', true],
    ['tags', 'contains', 'db', true],
    ['tags', 'contains', 'd', false],
    ['tags', 'matches', 'crit.*', true],
    ['tags', 'is-empty', '', false],
    ['extra-properties', 'contains-key', 'region', true],
    ['extra-properties', 'contains-key', 'toString', false],
    ['extra-properties', 'contains-value', 'eu', true],
    ['unheard-of', 'is-empty', '', true],
  ] as const)('%s %s %j is %s', (field, operation, expectedValue, expected) => {
    expect(holds({ field, operation, expectedValue })).toBe(expected);
  });

  it('compares a property by its key as text, and as a number for greater and less', () => {
    const load = { field: 'extra-properties', key: 'load' };
    expect(holds({ ...load, operation: 'equals', expectedValue: '97' })).toBe(true);
    expect(holds({ ...load, operation: 'greater-than', expectedValue: '9' })).toBe(true);
    expect(holds({ ...load, operation: 'less-than', expectedValue: '9' })).toBe(false);
    expect(holds({ ...load, operation: 'greater-than', expectedValue: 'many' })).toBe(false);
  });
});

describe('a pattern', () => {
  it('takes linear time where backtracking would never end', () => {
    const subject = { message: `${'a'.repeat(15_000)}!` };
    expect(holds({ field: 'message', operation: 'matches', expectedValue: '(a+)+' }, subject)).toBe(false);
  });

  it('is undefined when it does not compile', () => {
    expect(compilePattern('[')).toBeUndefined();
  });
});

const conditions = fc.array(
  fc.record({
    field: fc.constantFrom('message', 'tags', 'extra-properties', 'priority', 'nothing'),
    key: fc.constantFrom('', 'region', 'toString'),
    not: fc.boolean(),
    operation: fc.constantFrom(...OPERATIONS),
    expectedValue: fc.oneof(fc.string(), fc.constantFrom('db', 'P1', 'eu', '5', '.*')),
  }),
  { maxLength: 5 },
);
const subjects: fc.Arbitrary<ConditionSubject> = fc.record({
  message: fc.string(),
  tags: fc.array(fc.constantFrom('db', 'eu', 'x')),
  'extra-properties': fc.dictionary(fc.constantFrom('region', 'load'), fc.constantFrom('eu', '5', '')),
  priority: fc.constantFrom('P1', 'P2'),
});

const evaluate = (type: ConditionSet['type'], list: readonly Condition[], subject: ConditionSubject) =>
  compileConditions({ type, conditions: [...list] })(subject);
const negated = (list: readonly Condition[]) => list.map((condition) => ({ ...condition, not: !condition.not }));

describe('a condition set', () => {
  it('match-all holds for everything', () => {
    fc.assert(
      fc.property(subjects, (subject) => {
        expect(compileConditions(MATCH_ALL)(subject)).toBe(true);
      }),
    );
  });

  it('obeys De Morgan, and so negation, and never throws', () => {
    fc.assert(
      fc.property(conditions, subjects, (list, subject) => {
        expect(evaluate('match-any-condition', list, subject)).toBe(
          !evaluate('match-all-conditions', negated(list), subject),
        );
      }),
    );
  });

  it('does not depend on the order of its conditions', () => {
    fc.assert(
      fc.property(conditions, subjects, (list, subject) => {
        for (const type of ['match-any-condition', 'match-all-conditions'] as const)
          expect(evaluate(type, [...list].reverse(), subject)).toBe(evaluate(type, list, subject));
      }),
    );
  });
});

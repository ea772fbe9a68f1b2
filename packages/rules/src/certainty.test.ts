import { describe, expect, it } from '@jest/globals';
import { MATCH_ALL, type ConditionSet } from '@tocsin/events';
import fc from 'fast-check';
import { holdsWhenever, neverHolds, neverHoldsFor, whyNeverFirst } from './certainty.ts';
import type { ConditionSubject } from './condition-subject.ts';
import { compileConditions } from './conditions.ts';
import { PatternBudget } from './pattern-budget.ts';

type Condition = ConditionSet['conditions'][number];

const condition = (field: string, operation: Condition['operation'], expectedValue = '', not = false): Condition => ({
  field,
  not,
  operation,
  expectedValue,
});
const all = (...conditions: Condition[]): ConditionSet => ({ type: 'match-all-conditions', conditions });
const any = (...conditions: Condition[]): ConditionSet => ({ type: 'match-any-condition', conditions });
const priority = (value: string, not = false) => condition('priority', 'equals', value, not);
const ofDetail = (one: Condition, key: string): Condition => ({ ...one, key });

describe('a set of conditions', () => {
  it.each([
    ['two priorities', all(priority('P1'), priority('P2'))],
    ['a priority that no alert has', all(priority('P7'))],
    ['no priority at all', all(...['P1', 'P2', 'P3', 'P4', 'P5'].map((each) => priority(each, true)))],
    [
      'a condition and its opposite',
      all(condition('tags', 'contains', 'db'), condition('tags', 'contains', 'db', true)),
    ],
    [
      'an empty kind of event with a kind',
      all(condition('eventType', 'is-empty'), condition('eventType', 'equals', 'mail')),
    ],
    ['two messages', all(condition('message', 'equals', 'a'), condition('message', 'equals', 'b'))],
    [
      'a message without what it contains',
      all(condition('message', 'equals', 'a'), condition('message', 'contains', 'b')),
    ],
    ['an empty list with an item', all(condition('tags', 'is-empty'), condition('tags', 'contains', 'db'))],
    ['an empty text with a beginning', all(condition('source', 'is-empty'), condition('source', 'starts-with', 'a'))],
    [
      'two values of one detail',
      all(
        ofDetail(condition('details', 'equals', 'eu'), 'region'),
        ofDetail(condition('details', 'equals', 'us'), 'region'),
      ),
    ],
    ...['description', 'entity', 'alias'].map(
      (field) =>
        [`two values of ${field}`, all(condition(field, 'equals', 'a'), condition(field, 'equals', 'b'))] as const,
    ),
    ...['actions', 'recipients', 'teams', 'responders'].map(
      (field) =>
        [`no ${field} with one`, all(condition(field, 'is-empty'), condition(field, 'contains', 'a'))] as const,
    ),
    [
      'no extra properties with a key',
      all(condition('extra-properties', 'is-empty'), condition('extra-properties', 'contains-key', 'a')),
    ],
    [
      'an empty list that is not empty, whatever value is stored with either',
      all(condition('tags', 'is-empty', 'x'), condition('tags', 'is-empty', 'y', true)),
    ],
    ['no condition of which any must hold', any()],
    ['alternatives that all contradict', any(priority('P6'), priority('P7'))],
  ])('never holds with %s', (_, set) => {
    expect(neverHolds(set)).toBe(true);
  });

  it.each([
    ['two tags', all(condition('tags', 'contains', 'db'), condition('tags', 'contains', 'web'))],
    ['two patterns', all(condition('message', 'matches', 'a.*'), condition('message', 'matches', 'b.*'))],
    [
      'two details',
      all(ofDetail(condition('details', 'equals', 'a'), 'x'), ofDetail(condition('details', 'equals', 'b'), 'y')),
    ],
    ['one alternative that may hold', any(priority('P7'), priority('P1'))],
    ['nothing asked', MATCH_ALL],
    ...['eventType', 'from-address', 'region'].map(
      (field) =>
        [
          `an empty ${field}, which ends with an empty text`,
          all(condition(field, 'is-empty'), condition(field, 'ends-with')),
        ] as const,
    ),
  ])('may hold with %s', (_, set) => {
    expect(neverHolds(set)).toBe(false);
  });

  it('never holds for a priority that it excludes', () => {
    expect(neverHoldsFor(all(priority('P3')), 'P1')).toBe(true);
    expect(neverHoldsFor(any(priority('P3'), condition('tags', 'contains', 'db')), 'P1')).toBe(false);
    expect(neverHoldsFor(any(priority('P3'), priority('P1', true)), 'P1')).toBe(true);
    expect(neverHoldsFor(MATCH_ALL, 'P1')).toBe(false);
    expect(neverHoldsFor(any(), 'P1')).toBe(true);
  });

  it.each([
    ['all', all],
    ['any', any],
  ])('is decided up to 50 conditions of which %s must hold', (_, of) => {
    const times = (count: number) => of(...Array.from({ length: count }, () => priority('P3')));
    expect([neverHoldsFor(times(50), 'P1'), neverHoldsFor(times(51), 'P1')]).toEqual([true, false]);
    const never = (count: number) => of(...Array.from({ length: count }, () => priority('P7')));
    expect([neverHolds(never(50)), neverHolds(never(51))]).toEqual([true, false]);
  });

  it.each([
    ['the same message', () => condition('message', 'equals', 'x')],
    [
      'one message and how it begins',
      (index: number) => condition('message', index === 0 ? 'equals' : 'starts-with', 'x'.repeat(49 - index)),
    ],
    ['other details', (index: number) => ofDetail(condition('details', 'equals', 'x'), `key-${index}`)],
  ])('reads each of many conditions a few times: %s', (_, of) => {
    let reads = 0;
    const counted = Array.from({ length: 49 }, (__, index): Condition => {
      const { expectedValue, ...rest } = of(index);
      return {
        ...rest,
        get expectedValue() {
          reads += 1;
          return expectedValue;
        },
      };
    });
    expect(neverHoldsFor(all(...counted), 'P1')).toBe(false);
    expect(reads).toBeLessThanOrEqual(49 * 6);
  });
});

describe('a set', () => {
  const db = condition('tags', 'contains', 'db');
  const web = condition('tags', 'contains', 'web');
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => condition('tags', 'contains', `tag-${index}`));

  it.each([
    ['no condition', all(), MATCH_ALL, true],
    ['no alternative', any(), MATCH_ALL, false],
    ['one condition', all(db), MATCH_ALL, false],
    ['the only alternative', all(db), any(db), true],
    ['one of two alternatives', all(db), any(db, web), false],
    ['more than the only alternative', all(db, web), any(db), false],
    ['one of 50 conditions', all(db), all(db, ...others(49)), true],
    ['one of 51 conditions', all(db), all(db, ...others(50)), false],
  ])('of %s holds whenever the other does, or may not', (_, first, second, expected) => {
    expect(holdsWhenever(first, second)).toBe(expected);
  });
});

describe('a rule after others', () => {
  const rule = (criteria: ConditionSet, over: { times?: string; takesAlerts?: boolean } = {}) => ({
    criteria,
    times: over.times,
    takesAlerts: over.takesAlerts ?? true,
  });
  const db = condition('tags', 'contains', 'db');
  const web = condition('tags', 'contains', 'web');

  it.each([
    ['one that takes all', all(db), rule(MATCH_ALL)],
    ['one that asks for less', all(db, web), rule(all(db))],
    ['one with more alternatives', any(db), rule(any(web, db))],
    ['one with an alternative of it', all(db, web), rule(any(web, priority('P1')))],
    ['one with the same conditions', all(db, web), rule(all(web, db))],
  ])('never matches after %s', (_, criteria, earlier) => {
    expect(whyNeverFirst(rule(criteria), [earlier])).toEqual({ reason: 'taken', by: [earlier] });
  });

  it('never matches after rules that together take all of its priorities', () => {
    const earlier = [rule(all(priority('P1'))), rule(all(db)), rule(all(priority('P1', true)))];
    expect(whyNeverFirst(rule(all(web)), earlier)).toEqual({ reason: 'taken', by: [earlier[0], earlier[2]] });
    expect(whyNeverFirst(rule(all(web, priority('P1'))), earlier)).toEqual({ reason: 'taken', by: [earlier[0]] });
  });

  it('never matches after rules that together take each of its alternatives', () => {
    const earlier = [rule(all(priority('P1'))), rule(all(priority('P2')))];
    const taken = { reason: 'taken', by: earlier };
    expect(whyNeverFirst(rule(any(priority('P1'), priority('P2'))), earlier)).toEqual(taken);
    expect(whyNeverFirst(rule(any(priority('P1'), priority('P3'))), earlier)).toBeUndefined();
    expect(whyNeverFirst(rule(any(priority('P1'), db)), earlier)).toBeUndefined();
  });

  it('may match where it, or an earlier rule, has more than 50 conditions', () => {
    const times = (count: number) => Array.from({ length: count }, () => priority('P1'));
    const [few, many] = [rule(all(...times(50))), rule(all(...times(51)))];
    expect(whyNeverFirst(many, [rule(all(priority('P1'), priority('P1')))])).toBeUndefined();
    expect(whyNeverFirst(rule(all(web, priority('P1'))), [few])).toEqual({ reason: 'taken', by: [few] });
    expect(whyNeverFirst(rule(all(web, priority('P1'))), [many])).toBeUndefined();
  });

  it('asks for no priority where its conditions are kept and do not count', () => {
    const kept: ConditionSet = { type: 'match-all', conditions: [priority('P1')] };
    expect(whyNeverFirst(rule(kept), [rule(all(priority('P1')))])).toBeUndefined();
  });

  it.each([
    ['one that asks for more', all(db), rule(all(db, web))],
    ['one that asks for something else', all(db), rule(all(web))],
    ['one that holds at some times only', all(db), rule(MATCH_ALL, { times: 'nights' })],
    ['one whose target was deleted', all(db), rule(MATCH_ALL, { takesAlerts: false })],
    ['one without conditions of which any must hold', all(db), rule(any())],
    ['one that takes other priorities', all(db), rule(all(priority('P1')))],
  ])('may match after %s', (_, criteria, earlier) => {
    expect(whyNeverFirst(rule(criteria), [earlier])).toBeUndefined();
  });

  it('never matches after one that takes all at the same times', () => {
    const earlier = rule(MATCH_ALL, { times: 'nights' });
    expect(whyNeverFirst(rule(all(db), { times: 'nights' }), [earlier])).toEqual({ reason: 'taken', by: [earlier] });
    expect(whyNeverFirst(rule(all(db)), [earlier])).toBeUndefined();
  });

  it('never matches where its own conditions contradict each other', () => {
    expect(whyNeverFirst(rule(all(priority('P1'), priority('P2'))), [])).toEqual({ reason: 'contradiction' });
  });
});

const value = fc.constantFrom('', 'a', 'b', 'ab', 'P1', 'P2', '7', 'x');
const operation = fc.constantFrom<Condition['operation']>(
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
);
const aCondition: fc.Arbitrary<Condition> = fc
  .record({
    field: fc.constantFrom('message', 'priority', 'tags', 'details', 'responders', 'eventType'),
    key: fc.constantFrom('', 'a'),
    not: fc.boolean(),
    operation,
    expectedValue: value,
  })
  .map(({ key, ...rest }) => ({ ...rest, ...(key !== '' && { key }) }));
const aSet: fc.Arbitrary<ConditionSet> = fc.record({
  type: fc.constantFrom('match-all', 'match-any-condition', 'match-all-conditions'),
  conditions: fc.array(aCondition, { maxLength: 4 }),
});
const anAlert: fc.Arbitrary<ConditionSubject> = fc.record({
  message: value,
  priority: fc.constantFrom('P1', 'P2', 'P3', 'P4', 'P5'),
  tags: fc.array(value, { maxLength: 2 }),
  responders: fc.array(value, { maxLength: 2 }),
  details: fc.dictionary(fc.constantFrom('a', 'b'), value),
});

describe('for every alert', () => {
  it('a set that never holds does not hold', () => {
    fc.assert(
      fc.property(aSet, anAlert, (set, alert) => {
        const holds = compileConditions(set)(alert, new PatternBudget()) === 'holds';
        expect(holds && neverHolds(set)).toBe(false);
        expect(holds && neverHoldsFor(set, alert['priority'] as 'P1')).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a set that holds whenever another one does holds with it', () => {
    const pair = fc.oneof(
      fc.tuple(aSet, aSet),
      // Sets with conditions in common, of which more imply each other.
      fc
        .tuple(fc.array(aCondition, { maxLength: 4 }), fc.array(aCondition, { maxLength: 2 }), aSet, aSet)
        .map(([common, more, a, b]): [ConditionSet, ConditionSet] => [
          { type: a.type, conditions: common },
          { type: b.type, conditions: [...common, ...more] },
        ]),
    );
    fc.assert(
      fc.property(pair, anAlert, ([first, second], alert) => {
        const [holds, alsoHolds] = [second, first].map(
          (set) => compileConditions(set)(alert, new PatternBudget()) === 'holds',
        );
        expect(holds === true && alsoHolds === false && holdsWhenever(first, second)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a rule that can never be first is not the first that holds', () => {
    fc.assert(
      fc.property(fc.array(aSet, { minLength: 1, maxLength: 5 }), anAlert, (sets, alert) => {
        const rules = sets.map((criteria) => ({ criteria, times: undefined, takesAlerts: true }));
        const first = rules.findIndex(
          ({ criteria }) => compileConditions(criteria)(alert, new PatternBudget()) === 'holds',
        );
        const rule = rules[first];
        expect(rule && whyNeverFirst(rule, rules.slice(0, first))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

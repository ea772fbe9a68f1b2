import { describe, expect, it, jest } from '@jest/globals';
import { codePoints, MATCH_ALL, Pattern, type ConditionSet } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import type { ConditionSubject } from './condition-subject.ts';
import { compileConditions, explainConditions } from './conditions.ts';
import { PatternBudget } from './pattern-budget.ts';

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
  actions: [],
  details: {},
  'extra-properties': { region: 'eu', load: '97' },
  priority: 'P1',
  count: 12,
  seen: true,
};

const holds = (condition: Partial<Condition> & Pick<Condition, 'field' | 'operation'>, subject = diskFull) =>
  compileConditions({
    type: 'match-all-conditions',
    conditions: [{ not: false, expectedValue: '', ...condition }],
  })(subject, new PatternBudget()) === 'holds';

it('a condition reads the text at a path after the name of a field (P4)', () => {
  const subject: ConditionSubject = { _payload: (path) => (path === 'a["b.c"]' ? '7' : `at [${path}]`), text: 'x' };
  const equals = (field: string, expectedValue: string) =>
    holds({ field, operation: 'equals', expectedValue }, subject);
  expect(equals('_payload', 'at []')).toBe(true);
  expect(equals('_payload.list[0].x', 'at [list[0].x]')).toBe(true);
  expect(equals('_payload[0]', 'at [[0]]')).toBe(true);
  expect(holds({ field: '_payload.a["b.c"]', operation: 'greater-than', expectedValue: '6' }, subject)).toBe(true);
  expect(equals('text.x', '')).toBe(true);
  expect(equals('_item.x', '')).toBe(true);
});

describe('a condition', () => {
  it.each([
    ['message', 'contains', 'full', true],
    ['message', 'contains', 'Full', false],
    ['message', 'contains', '', true],
    ['message', 'starts-with', 'Disk', true],
    ['message', 'starts-with', 'full', false],
    ['message', 'ends-with', 'db-7', true],
    ['message', 'ends-with', 'Disk', false],
    ['message', 'equals', 'Disk full on db-7', true],
    ['message', 'equals', 'Disk full', false],
    ['message', 'equals', 'disk full on db-7', false],
    ['message', 'equals-ignore-whitespace', 'Diskfull on\tdb-7 ', true],
    ['message', 'equals-ignore-whitespace', 'Diskfull', false],
    ['message', 'matches', 'Disk .*-[0-9]+', true],
    ['message', 'matches', 'full', false],
    ['message', 'matches', '(', false],
    ['message', 'is-empty', '', false],
    ['description', 'is-empty', '', true],
    ['tags', 'contains', 'db', true],
    ['tags', 'contains', 'd', false],
    ['tags', 'matches', 'crit.*', true],
    ['tags', 'is-empty', '', false],
    ['actions', 'is-empty', '', true],
    ['extra-properties', 'contains', 'region', true],
    ['extra-properties', 'contains', 'eu', true],
    ['extra-properties', 'contains', 'reg', false],
    ['extra-properties', 'contains-key', 'region', true],
    ['extra-properties', 'contains-key', 'eu', false],
    ['extra-properties', 'contains-key', 'toString', false],
    ['extra-properties', 'contains-value', 'eu', true],
    ['extra-properties', 'contains-value', 'region', false],
    ['extra-properties', 'is-empty', '', false],
    ['details', 'is-empty', '', true],
    ['count', 'equals', '12', true],
    ['count', 'matches', '1.', true],
    ['count', 'greater-than', '9', true],
    ['count', 'less-than', '9', false],
    ['seen', 'equals', 'true', true],
    ['unheard-of', 'is-empty', '', true],
    ['toString', 'is-empty', '', true],
  ] as const)('%s %s %j is %s', (field, operation, expectedValue, expected) => {
    expect(holds({ field, operation, expectedValue })).toBe(expected);
    expect(holds({ field, operation, expectedValue, not: true })).toBe(!expected);
  });

  it.each([
    ['load', 'equals', '97', true],
    ['load', 'starts-with', '9', true],
    ['load', 'contains', '7', true],
    ['load', 'greater-than', '9', true],
    ['load', 'greater-than', '97', false],
    ['load', 'less-than', '97.5', true],
    ['load', 'greater-than', 'many', false],
    ['region', 'less-than', '5', false],
    ['absent', 'is-empty', '', true],
    ['absent', 'less-than', '5', false],
    ['toString', 'is-empty', '', true],
    ['__proto__', 'is-empty', '', true],
  ] as const)('takes the property %s, and %s %j is %s (P3)', (key, operation, expectedValue, expected) => {
    expect(holds({ field: 'extra-properties', key, operation, expectedValue })).toBe(expected);
  });
});

const anyText = fc.string({ unit: anyCodePoint, maxLength: 20 });
const conditions = fc.array(
  fc.record({
    field: fc.constantFrom('message', 'tags', 'extra-properties', 'priority', 'count', 'nothing'),
    key: fc.constantFrom('', 'region', 'toString'),
    not: fc.boolean(),
    operation: fc.constantFrom(...OPERATIONS),
    expectedValue: fc.oneof(anyText, fc.constantFrom('db', 'P1', 'eu', '5', '.*')),
  }),
  { maxLength: 5 },
);
const subjects: fc.Arbitrary<ConditionSubject> = fc.record({
  message: anyText,
  tags: fc.array(fc.oneof(anyText, fc.constantFrom('db', 'eu', 'x'))),
  'extra-properties': fc.dictionary(fc.constantFrom('region', 'load'), fc.constantFrom('eu', '5', '')),
  priority: fc.constantFrom('P1', 'P2', undefined),
  count: fc.double(),
});

const evaluate = (type: ConditionSet['type'], list: readonly Condition[], subject: ConditionSubject) =>
  compileConditions({ type, conditions: [...list] })(subject, new PatternBudget()) === 'holds';
const negated = (list: readonly Condition[]) => list.map((condition) => ({ ...condition, not: !condition.not }));

describe('a condition set', () => {
  it('match-all holds for everything', () => {
    fc.assert(
      fc.property(subjects, (subject) => {
        expect(compileConditions(MATCH_ALL)(subject, new PatternBudget(0))).toBe('holds');
      }),
    );
  });

  it('obeys De Morgan, and never throws', () => {
    fc.assert(
      fc.property(conditions, subjects, (list, subject) => {
        expect(evaluate('match-any-condition', list, subject)).toBe(
          !evaluate('match-all-conditions', negated(list), subject),
        );
      }),
    );
  });

  it('negates one condition by `not`', () => {
    fc.assert(
      fc.property(conditions, subjects, (list, subject) => {
        for (const condition of list)
          expect(evaluate('match-any-condition', negated([condition]), subject)).toBe(
            !evaluate('match-any-condition', [condition], subject),
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

  it('is decided by none but one that fails, or one that holds', () => {
    fc.assert(
      fc.property(conditions, subjects, (list, subject) => {
        const each = list.map((condition) => evaluate('match-all-conditions', [condition], subject));
        expect(evaluate('match-all-conditions', list, subject)).toBe(!each.includes(false));
        expect(evaluate('match-any-condition', list, subject)).toBe(each.includes(true));
      }),
    );
  });

  it('is compiled once', () => {
    const set: ConditionSet = { type: 'match-any-condition', conditions: [] };
    expect(compileConditions(set)).toBe(compileConditions(set));
  });
});

describe('the budget of patterns (P3)', () => {
  const one = (condition: Partial<Condition>): Condition => {
    return { field: 'message', not: false, operation: 'matches', expectedValue: '.*disk.*', ...condition };
  };
  const HELD: ConditionSubject = { message: 'disk full', priority: 'P1' };
  const result = (type: ConditionSet['type'], list: readonly Condition[], steps: number) =>
    compileConditions({ type, conditions: [...list] })(HELD, new PatternBudget(steps));

  it('lets a set neither hold nor fail that hangs on a pattern without room, negated or not', () => {
    for (const not of [false, true])
      for (const type of ['match-any-condition', 'match-all-conditions'] as const)
        expect(result(type, [one({ not })], 9)).toBe('too-expensive');
    expect(result('match-all-conditions', [one({})], 10)).toBe('holds');
  });

  it('leaves the result alone where another condition decides', () => {
    const isP1 = one({ field: 'priority', operation: 'equals', expectedValue: 'P1' });
    expect(result('match-any-condition', [one({}), isP1], 0)).toBe('holds');
    expect(result('match-all-conditions', [one({}), { ...isP1, not: true }], 0)).toBe('fails');
    expect(result('match-all-conditions', [one({}), isP1], 0)).toBe('too-expensive');
  });

  it('is spent by each pattern, and one for all sets that are given it', () => {
    const budget = new PatternBudget(25);
    const holds = compileConditions({ type: 'match-all-conditions', conditions: [one({})] });
    expect([holds(HELD, budget), holds(HELD, budget), holds(HELD, budget)]).toEqual([
      'holds',
      'holds',
      'too-expensive',
    ]);
  });

  it('takes of a whole that several share, as long as that lasts', () => {
    const whole = new PatternBudget(25);
    const holds = compileConditions({ type: 'match-all-conditions', conditions: [one({})] });
    const said = [1, 2, 3].map(() => holds(HELD, new PatternBudget(15, whole)));
    expect(said).toEqual(['holds', 'holds', 'too-expensive']);
    expect(holds(HELD, new PatternBudget(5, new PatternBudget(25)))).toBe('too-expensive');
  });

  it('has no room for ten `.*a[ab]{0,990}[cd]` on a long description, of which none is then run', () => {
    const hostile = Array.from({ length: 10 }, (_, index) =>
      one({ field: 'description', expectedValue: `.*a[ab]{0,${990 - index}}[cd]` }),
    );
    const set: ConditionSet = { type: 'match-any-condition', conditions: hostile };
    const matches = jest.spyOn(Pattern.prototype, 'matches');
    const subject = { description: 'ab'.repeat(7_500) };
    expect(compileConditions(set)(subject, new PatternBudget())).toBe('too-expensive');
    expect(matches).not.toHaveBeenCalled();
    matches.mockRestore();
  });

  it('has room for whatever may be written, in texts as long as they can be', () => {
    const list = Array.from({ length: 20 }, () => one({ field: 'description' }));
    const subject = { description: '\u{1f514}'.repeat(15_000) };
    expect(compileConditions({ type: 'match-any-condition', conditions: list })(subject, new PatternBudget())).toBe(
      'fails',
    );
  });

  it.each([
    ['contains', `ab${'a'.repeat(998)}`, { description: 'a'.repeat(15_000) }],
    ['equals-ignore-whitespace', 'z', { description: 'a '.repeat(7_500) }],
    ['less-than', '7', { description: '1'.repeat(15_000) }],
    ['contains', 'z', { description: Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`k${at}`, ''])) }],
    ['equals', 'z', { description: Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`k${at}`, ''])) }],
  ] as const)('is spent by `%s` of a long text, which has no result without it', (operation, expectedValue, of) => {
    const dear = one({ field: 'description', operation, expectedValue });
    const holds = compileConditions({ type: 'match-any-condition', conditions: [dear] });
    const budget = new PatternBudget();
    const said = Array.from({ length: 2_000 }, () => holds(of, budget));
    expect([said[0], said.at(-1)]).toEqual(['fails', 'too-expensive']);
  });

  it('is not spent by what is compared at once', () => {
    const nothing = new PatternBudget(0);
    const long = { description: 'a'.repeat(15_000), tags: ['a', 'b'], details: { a: 'b' } };
    const results = (['equals', 'starts-with', 'ends-with'] as const).map((operation) =>
      compileConditions({
        type: 'match-any-condition',
        conditions: [one({ field: 'description', operation, expectedValue: 'z' })],
      })(long, nothing),
    );
    expect(results).toEqual(['fails', 'fails', 'fails']);
    const small = ['tags', 'details'].map((field) => one({ field, operation: 'contains', expectedValue: 'z' }));
    expect(compileConditions({ type: 'match-any-condition', conditions: small })(long, nothing)).toBe('fails');
  });

  it('is spent on the first 15 000 units of a text alone, which are all that a pattern sees', () => {
    const holds = compileConditions({ type: 'match-all-conditions', conditions: [one({ expectedValue: 'a*' })] });
    expect(holds({ message: `${'a'.repeat(15_000)}b` }, new PatternBudget())).toBe('holds');
  });
});

describe('an explained result of conditions', () => {
  const all = (conditions: ConditionSet['conditions']): ConditionSet => ({ type: 'match-all-conditions', conditions });
  const failureOf = (set: ConditionSet, subject: ConditionSubject) =>
    explainConditions(set)(subject, new PatternBudget()).failure(subject);
  const failing = { field: 'message', not: false, operation: 'contains', expectedValue: 'db' } as const;

  it('names the first condition that failed, and apart from it the value that it wants, and the one that it met', () => {
    const holding = { ...failing, expectedValue: 'Disk' };
    expect(failureOf(all([holding, failing]), { message: 'Disk full' })).toEqual({
      condition: 'message contains […]',
      expected: 'db',
      met: 'Disk full',
    });
  });

  it.each([
    [{ ...failing, not: true, operation: 'is-empty' as const }, {}, 'message not is-empty', undefined, ''],
    [{ ...failing, field: 'tags' }, { tags: ['a', 'b'] }, 'tags contains […]', 'db', 'a, b'],
    [{ ...failing, field: 'details' }, { details: { a: '1', b: '2' } }, 'details contains […]', 'db', 'a: 1, b: 2'],
    [{ ...failing, field: 'details', key: 'a' }, { details: { a: '1' } }, 'details.a contains […]', 'db', '1'],
  ])('names %j', (condition, subject, named, expected, met) => {
    expect(failureOf(all([condition]), subject)).toEqual({ condition: named, expected, met });
  });

  it('asks patterns last: they cost nothing where another condition settles the matter', () => {
    const dear = { ...failing, operation: 'matches', expectedValue: '.*' } as const;
    const nothing = new PatternBudget(0);
    const { result, failure } = explainConditions(all([dear, failing]))({ message: 'Disk full' }, nothing);
    expect([result, failure({ message: 'Disk full' })?.condition]).toEqual(['fails', 'message contains […]']);
    const any = { ...all([dear, { ...failing, expectedValue: 'Disk' }]), type: 'match-any-condition' } as const;
    expect(compileConditions(any)({ message: 'Disk full' }, nothing)).toBe('holds');
  });

  it('says that none holds where one would do', () => {
    const any = { ...all([failing, failing]), type: 'match-any-condition' } as const;
    expect(failureOf(any, { message: 'x' })).toEqual({ condition: 'none of 2 conditions holds' });
  });

  it('says nothing of a set that holds', () => {
    expect(failureOf(all([]), {})).toBeUndefined();
  });

  it('is short, whatever was written and whatever was met', () => {
    const long = fc.string({ unit: anyCodePoint, maxLength: 400 });
    const many = fc.oneof(long, fc.array(long), fc.dictionary(long, long));
    fc.assert(
      fc.property(long, long, many, (key, expectedValue, value) => {
        const set = all([
          { ...failing, operation: 'equals', field: 'details', key, expectedValue: `x${expectedValue}` },
        ]);
        const { condition = '', met = '' } = failureOf(set, { details: value }) ?? {};
        expect(codePoints(condition)).toBeLessThanOrEqual(130);
        expect(codePoints(met)).toBeLessThanOrEqual(51);
      }),
    );
  });
});

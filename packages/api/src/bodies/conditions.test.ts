import { describe, expect, it } from '@jest/globals';
import { ConditionSet, MATCH_ALL } from '@tocsin/events';
import fc from 'fast-check';
import { z } from 'zod';
import { ActionFilterBody, conditionForTools, CriteriaBody, FilterBody, MATCH_ALL_CRITERIA } from './conditions.ts';

const all = (...conditions: readonly object[]) => ({ type: 'match-all-conditions', conditions });
const full = { field: 'message', operation: 'contains', expectedValue: 'full' };
const read = (body: unknown) => CriteriaBody.parse(body);
const readOne = (condition: object) => read(all(condition)).set.conditions[0];
const refusal = (body: unknown) =>
  CriteriaBody.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

const TEXT_FIELDS = ['message', 'alias', 'description', 'source', 'entity', 'priority', 'eventType'];
const LIST_FIELDS = ['tags', 'actions', 'recipients', 'teams', 'responders'];
const MAP_FIELDS = ['details', 'extra-properties'];
const ON_TEXT = ['matches', 'contains', 'starts-with', 'ends-with', 'equals', 'is-empty', 'equals-ignore-whitespace'];
const ON_LIST = ['contains', 'is-empty'];
const ON_MAP = ['contains', 'contains-key', 'contains-value', 'is-empty'];
const ON_NUMBER = ['greater-than', 'less-than'];
const OPERATIONS = [...new Set([...ON_TEXT, ...ON_LIST, ...ON_MAP, ...ON_NUMBER])];

const byDocument = (a: string, b: string) => OPERATIONS.indexOf(a) - OPERATIONS.indexOf(b);

/** Every field with the operations of its kind (part 1, 2.9; P3). */
const ALLOWED: readonly (readonly [object, readonly string[]])[] = [
  ...TEXT_FIELDS.map((field) => [{ field }, ON_TEXT] as const),
  ...LIST_FIELDS.map((field) => [{ field }, ON_LIST] as const),
  ...MAP_FIELDS.map((field) => [{ field }, ON_MAP] as const),
  ...MAP_FIELDS.map((field) => [{ field, key: 'load' }, [...ON_TEXT, ...ON_NUMBER]] as const),
  [{ field: 'extra_properties_key_prefix-load' }, [...ON_TEXT, ...ON_NUMBER]],
];

describe('CriteriaBody: operations', () => {
  it.each(ALLOWED)('%j takes %j and no other', (field, allowed) => {
    const problems = OPERATIONS.map((operation) => refusal(all({ ...field, operation, expectedValue: '5' })));
    expect(OPERATIONS.filter((_, index) => problems[index]?.length === 0)).toEqual([...allowed].sort(byDocument));
    for (const [problem] of problems.filter(({ length }) => length > 0))
      expect(problem).toMatch(/^conditions\.0\.operation: of a \w+ field should be one of \[ /);
  });

  it('refuses what is no operation, and names those that the field takes', () => {
    expect(refusal(all({ ...full, field: 'tags', operation: 'resembles' }))).toEqual([
      'conditions.0.operation: of a list field should be one of [ contains, is-empty ]',
    ]);
  });
});

describe('CriteriaBody: spellings', () => {
  it.each(['message', 'Message', ' MESSAGE '])('knows the field %j', (field) => {
    expect(readOne({ ...full, field })?.field).toBe('message');
  });

  it.each(['extra-properties', 'Extra Properties', 'extraProperties', 'extra_properties'])('knows %j', (field) => {
    expect(readOne({ ...full, field, key: 'Region' })).toMatchObject({ field: 'extra-properties', key: 'Region' });
  });

  it.each(['starts-with', 'Starts With', 'startsWith', 'STARTS_WITH'])('knows the operation %j', (operation) => {
    expect(readOne({ ...full, operation })?.operation).toBe('starts-with');
  });

  it('reads the key of a property out of the field, as it was written', () => {
    const field = 'extra_properties_key_prefix-TEST_key-7';
    expect(readOne({ ...full, field })).toMatchObject({ field: 'extra-properties', key: 'TEST_key-7' });
    expect(refusal(all({ ...full, field: 'extra_properties_key_prefix-' }))).toHaveLength(1);
  });

  it('reads the older spelling, and answers in it (P2, E10)', () => {
    const written = {
      conditionMatchType: 'Match Any Condition',
      conditions: [{ field: 'Message', isNot: true, operation: 'Starts With', expectedValue: 'Disk' }],
    };
    const condition = { field: 'message', not: true, operation: 'starts-with', expectedValue: 'Disk' };
    expect(read(written)).toEqual({ set: { type: 'match-any-condition', conditions: [condition] }, written });
  });

  it('fills in defaults in the hyphenated spelling', () => {
    const conditions = [{ field: 'alias', operation: 'is-empty', not: false, expectedValue: '' }];
    expect(read(all({ field: 'alias', operation: 'is-empty', not: null, key: '' }))).toEqual({
      set: all(...conditions),
      written: all(...conditions),
    });
  });

  it('ignores a key where the field has none, and answers it', () => {
    const { set, written } = read(all({ ...full, key: 'region' }));
    expect(set.conditions[0]).not.toHaveProperty('key');
    expect(written.conditions?.[0]?.key).toBe('region');
  });

  it('keeps the conditions in their order, and each position as it was written', () => {
    const { set, written } = read(all({ ...full, order: 1 }, { ...full, field: 'alias' }, { ...full, order: 0 }));
    expect(set.conditions.map(({ order }) => order)).toEqual([1, undefined, 0]);
    expect(written.conditions?.map(({ order }) => order)).toEqual([1, undefined, 0]);
  });

  it('reads "true" as true (E12), and `not` before `isNot`', () => {
    expect(readOne({ ...full, not: 'TRUE' })?.not).toBe(true);
    expect(readOne({ ...full, not: false, isNot: true })?.not).toBe(false);
  });
});

describe('CriteriaBody: the set', () => {
  it.each([{}, { type: '' }, { type: null, conditions: [] }, { conditionMatchType: '' }])(
    'holds for everything when %j says nothing (E12)',
    (body) => {
      expect(read(body)).toEqual(MATCH_ALL_CRITERIA);
    },
  );

  it('needs and keeps no conditions for match-all', () => {
    expect(read({ type: 'match-all' })).toEqual(MATCH_ALL_CRITERIA);
    expect(read({ conditionMatchType: 'Match All', conditions: [full] })).toEqual({
      set: MATCH_ALL,
      written: { conditionMatchType: 'Match All' },
    });
  });

  it.each(['match-any-condition', 'Match All Conditions'])('needs a condition for %s', (type) => {
    for (const conditions of [undefined, null, []])
      expect(refusal({ type, conditions })).toEqual(['conditions: Conditions can not be empty.']);
  });

  it('takes 1000 conditions, and no more (E14)', () => {
    const conditions = Array.from({ length: 1_001 }, () => full);
    expect(refusal({ type: 'match-any-condition', conditions: conditions.slice(1) })).toEqual([]);
    expect(refusal({ type: 'match-any-condition', conditions })).toEqual([
      'conditions: should have at most 1000 items',
    ]);
  });

  it('names the type in the word that was used', () => {
    const names = '[ match-all, match-any-condition, match-all-conditions ]';
    expect(refusal({ type: 'some', conditions: [full] })).toEqual([`type: should be one of ${names}`]);
    expect(refusal({ conditionMatchType: 'some' })).toEqual([`conditionMatchType: should be one of ${names}`]);
    expect(refusal({ conditions: [full] })).toEqual([`type: should be one of ${names}`]);
  });
});

describe('CriteriaBody: values', () => {
  it.each([
    [{ ...full, field: 'subject' }, /^conditions\.0\.field: should be one of \[ message, /],
    [{ operation: 'contains' }, /^conditions\.0\.field: /],
    [{ ...full, operation: 7 }, /^conditions\.0\.operation: /],
    [{ ...full, not: 'maybe' }, /^conditions\.0\.not: should be true or false$/],
    [{ ...full, expectedValue: 5 }, /^conditions\.0\.expectedValue: should be a string$/],
    [
      { ...full, expectedValue: 'é'.repeat(1_001) },
      /^conditions\.0\.expectedValue: should be at most 1000 characters$/,
    ],
    [{ ...full, key: 'k'.repeat(1_001) }, /^conditions\.0\.key: should be at most 1000 characters$/],
    [{ ...full, order: -1 }, /^conditions\.0\.order: should be at least 0$/],
    [{ ...full, order: 0.5 }, /^conditions\.0\.order: should be a whole number$/],
    [{ ...full, operation: 'matches', expectedValue: '(' }, /^conditions\.0\.expectedValue: should be a valid regular/],
    [
      { field: 'details', key: 'load', operation: 'less-than', expectedValue: 'many' },
      /^conditions\.0\.expectedValue: should be a number$/,
    ],
    [
      { field: 'details', key: 'load', operation: 'greater-than' },
      /^conditions\.0\.expectedValue: should be a number$/,
    ],
    ['message', /^conditions\.0: should be an object with field and operation$/],
  ])('refuses %j', (condition, problem) => {
    expect(refusal({ type: 'match-any-condition', conditions: [condition] })).toEqual([expect.stringMatching(problem)]);
  });

  it('takes patterns up to a size, and no more of them than an alert can wait for', () => {
    const patterns = (count: number, expectedValue: string, field = 'message') =>
      all(...Array.from({ length: count }, () => ({ ...full, field, operation: 'matches', expectedValue })));
    const tooLong = 'takes too long, with the patterns and templates before it: use fewer or plainer ones';
    expect(refusal(patterns(400, '.*disk.*'))).toEqual([]);
    expect(refusal(patterns(600, '.*disk.*'))).toEqual([`conditions.469.expectedValue: ${tooLong}`]);
    expect(refusal(patterns(50, '.*(disk|cpu).*', 'description'))).toEqual([]);
    expect(refusal(patterns(1, '(a{30}){90}'))).toEqual([
      'conditions.0.expectedValue: repeats too much for a regular expression',
    ]);
    expect(refusal(patterns(10, '.*a[ab]{0,990}[cd]', 'description'))).toEqual([
      `conditions.0.expectedValue: ${tooLong}`,
    ]);
    const fourth = [...Array<string>(3).fill('.*disk.*'), '.*(a|b).{80}[cd]', '.*disk.*'];
    const conditions = fourth.map((expectedValue) => ({ field: 'description', operation: 'matches', expectedValue }));
    expect(refusal({ type: 'match-all-conditions', conditions })).toEqual([`conditions.3.expectedValue: ${tooLong}`]);
  });

  it.each([`${'\\h'.repeat(490)}(?=a)`, `[${'ac'.repeat(480)}&&]`, `[${'a'.repeat(400)}${'&&[^a]'.repeat(90)}]`])(
    'reads no more patterns that are refused for their text than an alert can wait for: %s',
    (expectedValue) => {
      const conditions = Array.from({ length: 1_000 }, () => ({
        field: 'message',
        operation: 'matches',
        expectedValue,
      }));
      expect(refusal({ type: 'match-any-condition', conditions }).length).toBeLessThan(10);
    },
  );

  it('tries no more patterns that do not compile than an alert can wait for', () => {
    const conditions = Array.from({ length: 1_000 }, (_, index) => ({
      field: 'message',
      operation: 'matches',
      expectedValue: `${'\\p{L}'.repeat(20)}${index}(`,
    }));
    expect(refusal({ type: 'match-any-condition', conditions })).toHaveLength(3);
  });

  it('takes 1000 characters, counted as code points (E8), and an empty value', () => {
    expect(readOne({ ...full, expectedValue: '😀'.repeat(1_000) })?.expectedValue).toHaveLength(2_000);
    expect(readOne({ field: 'alias', operation: 'equals' })?.expectedValue).toBe('');
  });

  it('reads what it answers as the same again, and sends it as it is', () => {
    const conditions = fc.array(
      fc.record(
        {
          field: fc.constantFrom('Message', 'tags', 'Extra Properties', 'details', 'extra_properties_key_prefix-a b'),
          key: fc.constantFrom('', 'load', null),
          not: fc.constantFrom(true, false, 'true', null),
          isNot: fc.boolean(),
          operation: fc.constantFrom('Contains', 'is-empty', 'Is Empty', 'contains_key', 'matches', 'greater-than'),
          expectedValue: fc.constantFrom('', '5', null),
          order: fc.nat(),
        },
        { requiredKeys: ['field', 'operation'] },
      ),
    );
    const types = fc.constantFrom('match-all', 'Match All', 'matchAnyCondition', 'match-all-conditions', '');
    fc.assert(
      fc.property(types, types, conditions, (type, conditionMatchType, list) => {
        const first = CriteriaBody.safeParse({ type, conditionMatchType, conditions: list });
        if (!first.success) return;
        expect(read(first.data.written)).toEqual(first.data);
        expect(ConditionSet.parse(first.data.set)).toEqual(first.data.set);
        expect(JSON.parse(JSON.stringify(first.data))).toEqual(first.data);
      }),
    );
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof z.object({ criteria: CriteriaBody }).safeParse({ criteria: value }).success).toBe('boolean');
      }),
    );
  });
});

describe('filters of integrations', () => {
  it.each([
    ['From Address', 'from-address'],
    ['from_address', 'from-address'],
    ['fromName', 'from-name'],
    ['Subject', 'subject'],
    ['conversation_subject', 'conversation-subject'],
    ['Messages', 'messages'],
  ])('know the field %s of a mail, which no other criteria know (part 1, 2.9; P2)', (written, field) => {
    const body = all({ field: written, operation: 'Starts With', expectedValue: 'x' });
    expect(FilterBody.parse(body)).toMatchObject({
      set: { conditions: [{ field, operation: 'starts-with' }] },
      written: { conditions: [{ field: written, operation: 'Starts With' }] },
    });
    expect(refusal(body)).toEqual([expect.stringContaining('conditions.0.field: should be one of')]);
    const numeric = all({ field: written, operation: 'greater-than', expectedValue: '1' });
    expect(FilterBody.safeParse(numeric).success).toBe(false);
  });
});

describe('ActionFilterBody: the fields of the requests of tools', () => {
  it.each(['severity', '_payload.a["b c"][0]', '_headers.x-a', 'Some Field', '_state'])(
    'knows %j as it is written',
    (field) => {
      const body = all({ field: ` ${field} `, operation: 'Greater Than', expectedValue: '5' });
      expect(ActionFilterBody.parse(body).set.conditions).toEqual([
        { field, not: false, operation: 'greater-than', expectedValue: '5' },
      ]);
      expect(ActionFilterBody.safeParse(all({ field, operation: 'contains-key', expectedValue: 'x' })).success).toBe(
        false,
      );
      expect(FilterBody.safeParse(body).success).toBe(false);
    },
  );

  it('knows those of alerts and mails in any spelling, and no blank one', () => {
    const body = all({ field: 'From Address', operation: 'equals' }, { field: 'TAGS', operation: 'contains' });
    expect(ActionFilterBody.parse(body).set.conditions).toMatchObject([{ field: 'from-address' }, { field: 'tags' }]);
    expect(ActionFilterBody.safeParse(all({ field: ' ', operation: 'equals' })).success).toBe(false);
  });

  it('names the first condition that nothing but the request of a tool has a field for', () => {
    const setOf = (...fields: readonly string[]) =>
      ActionFilterBody.parse(all(...fields.map((field) => ({ field, operation: 'is-empty' })))).set;
    expect(
      conditionForTools(setOf('message', 'subject', 'extra_properties_key_prefix-a', '_payload', '_payload.a')),
    ).toBe(undefined);
    expect(conditionForTools(setOf('message', '_payloads.a', 'severity'))).toEqual({
      index: 1,
      refusal: expect.stringMatching(/^should be one of \[ message, .*, messages, _payload, /),
    });
  });
});

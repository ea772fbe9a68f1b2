import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ActionType } from '@tocsin/events';
import {
  emptyRule,
  excess,
  listed,
  MAX_RULES,
  MAX_STEPS,
  type NotificationRule,
  type NotificationRules,
  ofType,
  withoutRule,
  withRule,
} from './notification-rule.ts';

const rule = (id: string, actionType: ActionType = 'create-alert'): NotificationRule =>
  emptyRule({ id, name: id, actionType, enabled: true });
const rulesOf = (...ids: string[]) => ids.reduce<NotificationRules>((rules, id) => withRule(rules, rule(id)), []);
const ids = (rules: NotificationRules) => rules.map(({ id }) => id).join(' ');

type Write = (rules: NotificationRules) => NotificationRules;

/** Any sequence of writes to the rules named a to h, two of each of four types. */
const writes = fc.array(
  fc.tuple(
    fc.constantFrom<('put' | 'delete')[]>('put', 'put', 'delete'),
    fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    fc.option(fc.nat(5), { nil: undefined }),
  ),
  { maxLength: 40 },
);
const typeOf = (id: string): ActionType => ActionType.options[id.charCodeAt(0) % 4] ?? 'create-alert';
const write =
  ([verb, id, place]: readonly ['put' | 'delete', string, number | undefined]): Write =>
  (rules) =>
    verb === 'put' ? withRule(rules, rule(id, typeOf(id)), place) : withoutRule(rules, rule(id, typeOf(id)));

describe('the order of rules', () => {
  it.each([
    [undefined, 'a b c x'],
    [0, 'x a b c'],
    [2, 'a b x c'],
    [3, 'a b c x'],
    [99, 'a b c x'],
  ])('puts a new rule at place %s', (place, order) => {
    expect(ids(withRule(rulesOf('a', 'b', 'c'), rule('x'), place))).toBe(order);
  });

  it.each([
    ['a', 2, 'b c a'],
    ['c', 0, 'c a b'],
    ['b', 1, 'a b c'],
    ['a', 99, 'b c a'],
  ])('moves rule %s to place %i', (id, place, order) => {
    expect(ids(withRule(rulesOf('a', 'b', 'c'), rule(id), place))).toBe(order);
  });

  it('closes the gap of a rule that goes', () => {
    const rules = withoutRule(rulesOf('a', 'b', 'c'), rule('b'));
    expect(rules.map(({ id, order }) => [id, order])).toEqual([
      ['a', 0],
      ['c', 1],
    ]);
  });

  it('counts each type from 0 without a gap, whatever is written', () => {
    fc.assert(
      fc.property(writes, (sequence) => {
        const rules = sequence.map(write).reduce<NotificationRules>((present, next) => next(present), []);
        for (const actionType of ActionType.options)
          expect(ofType(rules, actionType).map(({ order }) => order)).toEqual(
            ofType(rules, actionType).map((_, index) => index),
          );
        expect(listed(rules)).toEqual(rules);
        expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
      }),
    );
  });

  it('lists types in the order of their description, each by place', () => {
    const [first, last] = [rule('x', 'renotified-alert'), rule('y', 'acknowledged-alert')];
    const rules = [{ ...rule('b'), order: 1 }, first, { ...rule('a'), order: 0 }, last];
    expect(ids(listed(rules))).toBe('a b y x');
  });
});

describe('excess', () => {
  const step = (id: string) => ({
    id,
    contact: { method: 'email' as const, to: 'ada@example.com' },
    sendAfterMinutes: 0,
    enabled: true,
  });
  const steps = (count: number) => Array.from({ length: count }, (_, n) => step(`s${n}`));
  const many = (count: number) => Array.from({ length: count }, (_, n) => rule(`r${n}`));

  it('is nothing up to each limit', () => {
    expect(excess([])).toBeUndefined();
    expect(excess(many(MAX_RULES))).toBeUndefined();
    expect(excess([{ ...rule('a'), steps: steps(MAX_STEPS) }])).toBeUndefined();
  });

  it('is a sentence one above each limit', () => {
    expect(excess(many(MAX_RULES + 1))).toBe('A user has at most 1000 notification rules.');
    expect(excess([{ ...rule('a'), steps: steps(MAX_STEPS + 1) }])).toBe('A notification rule has at most 1000 steps.');
  });

  it('keeps the state of a user small enough for a message', () => {
    const long = { ...rule('a'), steps: steps(MAX_STEPS) };
    expect(excess(Array.from({ length: 10 }, () => long))).toMatch(/too long together/);
  });

  it('counts the patterns of one action type, which are all evaluated for one page (P3)', () => {
    const conditions = Array.from({ length: 30 }, () => {
      return { field: 'description', not: false, operation: 'matches' as const, expectedValue: '.*disk.*' };
    });
    const criteria = { set: { type: 'match-any-condition' as const, conditions }, written: {} };
    const slow = { ...rule('a'), criteria };
    expect(excess([slow, { ...slow, actionType: 'closed-alert' }])).toBeUndefined();
    expect(excess([slow, { ...slow, id: 'b' }])).toMatch(/^The patterns in the criteria of the rules for .* too long/);
  });
});

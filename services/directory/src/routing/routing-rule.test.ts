import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Criteria, MATCH_ALL_CRITERIA, MAX_ROUTING_RULES } from '@tocsin/api';
import {
  changedRule,
  type RoutingRule,
  type RoutingRuleChanges,
  routingRuleName,
  routingRuleState,
  withMovedRule,
  withoutRule,
  withRule,
} from './routing-rule.ts';

const DEFAULT: RoutingRule = {
  id: 'default',
  name: 'Default Routing Rule',
  isDefault: true,
  order: 0,
  timezone: 'UTC',
  criteria: MATCH_ALL_CRITERIA,
  notify: { type: 'none' },
};
const draftOf = (id: string) => ({
  id,
  name: id,
  timezone: 'UTC',
  criteria: MATCH_ALL_CRITERIA,
  timeRestriction: undefined,
  notify: { type: 'none' } as const,
});
const TAGGED: Criteria = {
  set: {
    type: 'match-all-conditions',
    conditions: [{ field: 'tags', not: false, operation: 'contains', expectedValue: 'db' }],
  },
  written: {
    type: 'Match All Conditions',
    conditions: [{ field: 'Tags', isNot: false, operation: 'Contains', expectedValue: 'db' }],
  },
};
const NOTHING: RoutingRuleChanges = {
  name: undefined,
  timezone: undefined,
  criteria: undefined,
  timeRestriction: undefined,
  notify: undefined,
};

type Rules = readonly RoutingRule[];
const rules = (outcome: Rules | string): Rules => {
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
};
const added = (present: Rules, id: string, order?: number) => rules(withRule(present, draftOf(id), order));
const ids = (present: Rules) => present.map(({ id }) => id).join(' ');
const three = ['a', 'b', 'c'].reduce<Rules>((present, id) => added(present, id), [DEFAULT]);
const ruleOf = (present: Rules, id: string): RoutingRule => present.find((rule) => rule.id === id) ?? DEFAULT;

describe('the order of routing rules', () => {
  it.each([
    [undefined, 'a b c new default'],
    [0, 'new a b c default'],
    [2, 'a b new c default'],
    [3, 'a b c new default'],
    [1_000_000, 'a b c new default'],
  ])('takes a new rule at %s, and last before the default one where there is no such place', (order, expected) => {
    expect(ids(added(three, 'new', order))).toBe(expected);
  });

  it.each([
    ['a', 1, 'b a c default'],
    ['c', 0, 'c a b default'],
    ['b', 1, 'a b c default'],
    ['a', 3, 'b c a default'],
  ])('has %s at %i after a move, and never behind the default one', (id, order, expected) => {
    expect(ids(rules(withMovedRule(three, ruleOf(three, id), order)))).toBe(expected);
  });

  it('has as many places as rules', () => {
    expect(withMovedRule(three, ruleOf(three, 'a'), 4)).toBe('beyond');
  });

  it('lets the default rule neither move nor go', () => {
    expect(withMovedRule(three, DEFAULT, 0)).toBe('default');
    expect(withoutRule(three, DEFAULT)).toBe('default');
  });

  it('has room for 100 rules', () => {
    const full = Array.from({ length: MAX_ROUTING_RULES - 1 }, (_, n) => String(n)).reduce<Rules>(
      (present, id) => added(present, id),
      [DEFAULT],
    );
    expect(full).toHaveLength(100);
    expect(withRule(full, draftOf('one more'))).toBe('too-many');
  });

  it('stays dense with the default rule last, and keeps the order of all other pairs, with any changes', () => {
    const place = fc.nat({ max: 12 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), place: fc.option(place, { nil: undefined }) }),
      fc.record({ kind: fc.constantFrom('move' as const, 'remove' as const), which: fc.nat(), place }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        steps.reduce<Rules>(
          (present, one, n) => {
            const touched = one.kind === 'add' ? String(n) : present[one.which % present.length]?.id;
            const outcome = applied(present, one, touched ?? '');
            if (typeof outcome === 'string') return present;
            expect(outcome.map(({ order }) => order)).toEqual(outcome.map((_, order) => order));
            expect(outcome.map(({ isDefault }) => isDefault).indexOf(true)).toBe(outcome.length - 1);
            const others = (list: Rules) => ids(list.filter(({ id }) => id !== touched));
            expect(others(outcome)).toBe(others(present));
            return outcome;
          },
          [DEFAULT],
        );
      }),
    );
  });
});

type Step =
  | { readonly kind: 'add'; readonly place: number | undefined }
  | { readonly kind: 'move' | 'remove'; readonly place: number };

function applied(present: Rules, step: Step, id: string): Rules | string {
  switch (step.kind) {
    case 'add':
      return withRule(present, draftOf(id), step.place);
    case 'move':
      return withMovedRule(present, ruleOf(present, id), step.place);
    case 'remove':
      return withoutRule(present, ruleOf(present, id));
  }
}

describe('a change of a routing rule', () => {
  it('keeps the fields that it does not name', () => {
    expect(changedRule(ruleOf(three, 'a'), NOTHING)).toEqual(ruleOf(three, 'a'));
    expect(changedRule(DEFAULT, NOTHING)).toEqual(DEFAULT);
  });

  it('takes criteria together with their spelling, which other services do not see', () => {
    const changed = changedRule(ruleOf(three, 'a'), { ...NOTHING, criteria: TAGGED }) as RoutingRule;
    expect(changed.criteria).toEqual(TAGGED);
    expect(routingRuleState(changed).criteria).toEqual(TAGGED.set);
  });

  it('may say where, when and in which zone the default rule holds, and nothing else', () => {
    const changes = {
      timezone: 'Asia/Tokyo',
      timeRestriction: {
        type: 'time-of-day',
        restriction: { startHour: 1, startMin: 0, endHour: 2, endMin: 0 },
      },
      notify: { type: 'schedule', id: 's' },
    } as const;
    expect(changedRule(DEFAULT, { ...NOTHING, ...changes })).toEqual({ ...DEFAULT, ...changes });
    expect(changedRule(DEFAULT, { ...NOTHING, name: 'Other' })).toBe('name');
    expect(changedRule(DEFAULT, { ...NOTHING, criteria: TAGGED })).toBe('criteria');
  });

  it('accepts the present name and criteria of the default rule', () => {
    const spelled = { set: MATCH_ALL_CRITERIA.set, written: { type: 'Match All' } };
    expect(changedRule(DEFAULT, { ...NOTHING, name: DEFAULT.name, criteria: spelled })).toEqual(DEFAULT);
  });
});

describe('a rule without a name', () => {
  it('goes by its place', () => {
    expect(routingRuleName({ name: 'Night', order: 3 })).toBe('Night');
    expect(routingRuleName({ name: '', order: 3 })).toBe('at place 3');
  });
});

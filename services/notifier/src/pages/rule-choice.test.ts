import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finished } from '@tocsin/core';
import type { NotificationRuleState, TimeRestriction } from '@tocsin/events';
import { ada, page } from '../testing/page-samples.ts';
import { chooseRule } from './rule-choice.ts';

const [newAlert] = ada().notificationRules;
if (newAlert === undefined) throw new Error('the sample has no rule');
const rule = (change: Partial<NotificationRuleState>): NotificationRuleState => ({ ...newAlert, ...change });
const choose = (rules: NotificationRuleState[], of = page(), change: Parameters<typeof ada>[0] = {}) =>
  finished(chooseRule(of, ada({ notificationRules: rules, ...change })));

const p5: NotificationRuleState['criteria'] = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', not: false, operation: 'equals', expectedValue: 'P5' }],
};
const office: TimeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 8, startMin: 0, endHour: 18, endMin: 0 },
};

describe('the notification rule of a page', () => {
  it('is the first of its action type, by order, that is enabled and matches, with a finding for each one before it', () => {
    const { rule: chosen, findings } = choose([
      rule({ id: 'last', name: 'last', order: 9 }),
      rule({ id: 'off', name: 'off', order: 0, enabled: false }),
      rule({ id: 'other', name: 'other type', order: 1, actionType: 'closed-alert' }),
      rule({ id: 'p5', name: 'P5 alone', order: 2, criteria: p5 }),
      rule({ id: 'office', name: 'office hours', order: 3, timeRestriction: office }),
      rule({ id: 'this', name: 'this one', order: 4 }),
    ]);
    expect(chosen?.id).toBe('this');
    expect(findings.map(({ outcome, text }) => [outcome, text])).toEqual([
      [
        'skipped',
        'Notification rules of ada@example.com skipped: [off]: it is disabled; [P5 alone]: its criteria do not hold; ' +
          '[office hours]: its time restriction does not hold at 2026-01-01T00:00:00.000Z in UTC.',
      ],
      ['matched', 'Notification rule [this one] of ada@example.com is chosen.'],
    ]);
    expect(findings.at(-1)?.facts).toEqual({ pageId: page().pageId, userId: 'ada', ruleId: 'this', order: 4 });
    expect(findings[0]?.facts).toMatchObject({ rules: [{ ruleId: 'off' }, { ruleId: 'p5' }, { ruleId: 'office' }] });
  });

  it('is none with patterns that are too expensive, with a finding (P3)', () => {
    const criteria: NotificationRuleState['criteria'] = {
      type: 'match-all-conditions',
      conditions: [{ field: 'description', not: true, operation: 'matches', expectedValue: '.*a[ab]{0,990}[cd]' }],
    };
    const long = { ...page(), alert: { ...page().alert, description: 'ab'.repeat(7_500) } };
    const { rule: chosen, findings } = choose([rule({ id: 'old', name: 'old', criteria })], long);
    expect(chosen).toBeUndefined();
    expect(findings[0]?.text).toMatch(/skipped: \[old\]: its criteria were not evaluated: too expensive\./);
  });

  it('is logged with the first ten that were skipped, and all of them are in the facts', () => {
    const off = Array.from({ length: 13 }, (_, order) =>
      rule({ id: `r${order}`, name: `${order}`, order, enabled: false }),
    );
    const [{ facts, text } = { facts: undefined, text: '' }] = choose(off).findings;
    expect(text).toMatch(/skipped: \[0\]: it is disabled; .*; \[9\]: it is disabled; and 3 more\.$/);
    expect(facts?.['rules']).toHaveLength(13);
  });

  it.each([
    ['07:59', 'UTC', undefined],
    ['08:00', 'UTC', 'r1'],
    ['17:59', 'UTC', 'r1'],
    ['18:00', 'UTC', undefined],
    ['07:00', 'Europe/Rome', 'r1'],
    ['17:00', 'Europe/Rome', undefined],
  ])('with office hours, at %sZ for a user in %s, is %s (S3)', (time, timeZone, id) => {
    const at = page({ pagedAt: `2026-01-05T${time}:00.000Z` });
    expect(choose([rule({ timeRestriction: office })], at, { timeZone }).rule?.id).toBe(id);
  });

  it.each([
    ['teams', 'ops', true],
    ['teams', 'Operations', true],
    ['recipients', 'ada@example.com', true],
    ['recipients', 'Operations', false],
    ['responders', 'Operations', true],
    ['teams', 'Sales', false],
  ])('may ask who is a responder: %s contains %j is %s (P3)', (field, expectedValue, holds) => {
    const criteria: NotificationRuleState['criteria'] = {
      type: 'match-all-conditions',
      conditions: [{ field, not: false, operation: 'contains', expectedValue }],
    };
    const responders = [
      { type: 'team' as const, id: 'ops', name: 'Operations' },
      { type: 'user' as const, id: 'ada', name: 'ada@example.com' },
    ];
    const of = page({ alert: { ...page().alert, responders } });
    expect(choose([rule({ criteria })], of).rule !== undefined).toBe(holds);
  });

  it('is none where there is none of its type, and where none matches', () => {
    expect(choose([]).findings).toMatchObject([
      { outcome: 'none', text: 'ada@example.com has no notification rule for create-alert.' },
    ]);
    const { rule: chosen, findings } = choose([rule({ enabled: false })]);
    expect(chosen).toBeUndefined();
    expect(findings.at(-1)?.text).toBe('ada@example.com has no notification rule for create-alert that applies.');
  });

  it('is the one for new alerts when a user is paged again and has no rule for that (U5)', () => {
    const again = page({ actionType: 'renotified-alert' });
    expect(choose([rule({})], again).rule?.id).toBe('r1');
    const own = rule({ id: 'own', actionType: 'renotified-alert' });
    expect(choose([rule({}), own], again).rule?.id).toBe('own');
    expect(choose([rule({})], page({ actionType: 'closed-alert' })).rule).toBeUndefined();
  });

  it('does not depend on the order in which rules are listed, and has an account of each rule up to it', () => {
    const rules = fc.uniqueArray(
      fc.record({
        order: fc.integer({ min: 0, max: 50 }),
        enabled: fc.boolean(),
        criteria: fc.constantFrom(p5, newAlert.criteria),
      }),
      { selector: ({ order }) => order, maxLength: 8 },
    );
    fc.assert(
      fc.property(rules, (drawn) => {
        const list = drawn.map((each) => rule({ ...each, id: `r${each.order}` }));
        const { rule: chosen, findings } = choose(list);
        expect(choose(list.toReversed())).toEqual({ rule: chosen, findings });
        const holding = list.filter(({ criteria, enabled }) => enabled && criteria === newAlert.criteria);
        expect(chosen?.order).toBe(holding.map(({ order }) => order).toSorted((a, b) => a - b)[0]);
        const before = list.filter(({ order }) => order < (chosen?.order ?? Infinity));
        const passedOver = findings.flatMap(({ facts }) => facts?.['rules'] ?? []);
        expect(passedOver).toMatchObject(
          before.toSorted((a, b) => a.order - b.order).map(({ id }) => ({ ruleId: id })),
        );
      }),
    );
  });
});

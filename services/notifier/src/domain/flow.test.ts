import { describe, expect, it } from '@jest/globals';
import type { NotificationRuleState } from '@tocsin/contracts';
import { planPage } from './flow.ts';
import { ada, page } from './page.samples.ts';

const EMAIL = new Set(['email'] as const);
const [newAlert] = ada().notificationRules;
if (newAlert === undefined) throw new Error('the sample has no rule');

const rule = (change: Partial<NotificationRuleState>): NotificationRuleState => ({ ...newAlert, ...change });
const step = (change: Partial<NotificationRuleState['steps'][number]>): NotificationRuleState['steps'][number] => ({
  id: 's1',
  contact: { method: 'email', to: 'ada@example.com' },
  sendAfterMinutes: 0,
  enabled: true,
  ...change,
});
const plan = (rules: NotificationRuleState[], change: Parameters<typeof ada>[0] = {}) =>
  planPage(page(), ada({ notificationRules: rules, ...change }), EMAIL);

describe('planPage', () => {
  it('sends each step at the instant of the page plus its delay (U4)', () => {
    const { steps } = plan([rule({ steps: [step({}), step({ id: 's2', sendAfterMinutes: 5 })] })]);
    expect(steps.map(({ deliveryId, dueAt }) => [deliveryId, dueAt.toISOString()])).toEqual([
      ['a1:1:user:ada:-:0:ada:create-alert#s1', '2026-01-01T00:00:00.000Z'],
      ['a1:1:user:ada:-:0:ada:create-alert#s2', '2026-01-01T00:05:00.000Z'],
    ]);
  });

  it('takes the first enabled rule of the action type, by order, whose criteria hold', () => {
    const never = {
      type: 'match-all-conditions' as const,
      conditions: [{ field: 'priority', not: false, operation: 'equals' as const, expectedValue: 'P5' }],
    };
    const chosen = plan([
      rule({ name: 'last', order: 4 }),
      rule({ name: 'disabled', order: 0, enabled: false }),
      rule({ name: 'other type', order: 1, actionType: 'closed-alert' }),
      rule({ name: 'other alerts', order: 2, criteria: never }),
      rule({ name: 'this one', order: 3 }),
    ]);
    expect(chosen.ruleName).toBe('this one');
  });

  it.each([
    ['it is disabled', step({ enabled: false }), {}],
    ['the contact does not exist any more', step({ contact: { method: 'email', to: 'old@example.com' } }), {}],
    [
      'the contact is disabled',
      step({}),
      { contacts: [{ id: 'c', method: 'email' as const, to: 'ada@example.com', enabled: false }] },
    ],
    ['there is no channel for mobile', step({ contact: { method: 'mobile', to: 'x' } }), {}],
  ])('skips a step and says that %s', (reason, skipped, change) => {
    const { steps, reasons } = plan([rule({ steps: [skipped] })], change);
    expect(steps).toEqual([]);
    expect(reasons.join()).toContain(reason);
  });

  it.each([
    ['does not exist any more', planPage(page(), undefined, EMAIL)],
    ['is blocked', plan([rule({})], { blocked: true })],
    ['has no notification rule', plan([])],
  ])('sends nothing and says that the user %s', (reason, { steps, reasons }) => {
    expect(steps).toEqual([]);
    expect(reasons.join()).toContain(reason);
  });
});

import { describe, expect, it } from '@jest/globals';
import { finished } from '@tocsin/core';
import type { NotificationRuleState, UserState } from '@tocsin/events';
import { planPage, type Plan } from './plan.ts';
import { ada, page } from '../testing/page-samples.ts';

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
const contact = (change: Partial<UserState['contacts'][number]>): UserState['contacts'][number] => ({
  id: 'c1',
  method: 'email',
  to: 'ada@example.com',
  enabled: true,
  ...change,
});
const plan = (rules: NotificationRuleState[], change: Parameters<typeof ada>[0] = {}) =>
  finished(planPage(page(), ada({ notificationRules: rules, ...change }), EMAIL));
const textsOf = ({ choice, steps }: Plan) => [...choice, ...steps].map(({ text }) => text).join(' ');

describe('planPage', () => {
  it('says that the user is muted, and plans the steps all the same: the mute may be over by then', () => {
    const p2 = page({ alert: { ...page().alert, priority: 'P2' } });
    const { choice, deliveries } = finished(planPage(p2, ada({ mutedUntil: '2026-01-01T01:00:00.000Z' }), EMAIL));
    expect(choice[0]).toMatchObject({
      subject: 'user',
      outcome: 'muted',
      facts: { until: '2026-01-01T01:00:00.000Z' },
    });
    expect(deliveries).toHaveLength(1);
    expect(finished(planPage(page(), ada({ mutedUntil: '2026-01-01T01:00:00.000Z' }), EMAIL)).choice).toHaveLength(1);
  });

  it('sends each step at the instant of the page plus its delay (U4)', () => {
    const { deliveries } = plan([rule({ steps: [step({}), step({ id: 's2', sendAfterMinutes: 5 })] })]);
    expect(deliveries.map(({ deliveryId, dueAt }) => [deliveryId, dueAt.toISOString()])).toEqual([
      ['a1:1:user:ada:-:0:ada:create-alert', '2026-01-01T00:00:00.000Z'],
      ['a1:1:user:ada:-:0:ada:create-alert#s2', '2026-01-01T00:05:00.000Z'],
    ]);
  });

  it('writes to two contacts by two steps', () => {
    const contacts = [contact({}), contact({ id: 'c2', to: 'ada@example.org' })];
    const second = step({ id: 's2', contact: { method: 'email', to: 'ada@example.org' } });
    const { deliveries } = plan([rule({ steps: [step({}), second] })], { contacts });
    expect(deliveries.map(({ contactId, to }) => [contactId, to])).toEqual([
      ['c1', 'ada@example.com'],
      ['c2', 'ada@example.org'],
    ]);
  });

  it('ends the tries of a step when the next one begins (U7)', () => {
    const delays = [5, 0, 5, 20];
    const { deliveries } = plan([
      rule({ steps: delays.map((sendAfterMinutes, index) => step({ id: `s${index}`, sendAfterMinutes })) }),
    ]);
    expect(deliveries.map(({ nextStepAt }) => nextStepAt?.toISOString().slice(14, 16))).toEqual([
      '20',
      '05',
      '20',
      undefined,
    ]);
  });

  it('names the chosen rule, and the result of each of its steps', () => {
    const planned = plan([rule({ steps: [step({}), step({ id: 's2', enabled: false })] })]);
    expect([...planned.choice, ...planned.steps].map(({ outcome, subject, text }) => [subject, outcome, text])).toEqual(
      [
        ['notification-rule', 'matched', 'Notification rule [New alert] of ada@example.com is chosen.'],
        ['step', 'scheduled', 'ada@example.com is notified by mail at 2026-01-01T00:00:00.000Z by rule [New alert].'],
        ['step', 'skipped', 'The mail step of rule [New alert] of ada@example.com is skipped: it is disabled.'],
      ],
    );
  });

  it.each([
    ['it is disabled', step({ enabled: false }), {}],
    ['the contact does not exist any more', step({ contact: { method: 'email', to: 'old@example.com' } }), {}],
    ['the contact is disabled', step({}), { contacts: [contact({ enabled: false })] }],
    ['the contact is not verified', step({}), { contacts: [contact({ unverified: true })] }],
    ['there is no channel for mobile', step({ contact: { method: 'mobile', to: 'x' } }), {}],
    [
      'there is no channel for sms',
      step({ contact: { method: 'sms', to: '1-5551234' } }),
      { contacts: [contact({ method: 'sms', to: '1-5551234' })] },
    ],
  ] as const)('skips a step and says that %s', (reason, skipped, change) => {
    const planned = plan([rule({ steps: [skipped] })], change as Partial<UserState>);
    expect(planned.deliveries).toEqual([]);
    expect(textsOf(planned)).toContain(`is skipped: ${reason}.`);
    expect(textsOf(planned)).toContain('Rule [New alert] of ada@example.com has no step that can be sent.');
  });

  it('pushes to a device that is registered, and to no other topic that a rule names', () => {
    const push = step({ contact: { method: 'mobile', to: 'topic-1' } });
    const planned = (user: UserState) => finished(planPage(page(), user, new Set(['mobile'] as const)));
    const user = ada({ notificationRules: [rule({ steps: [push] })] });
    expect(textsOf(planned(user))).toContain('is skipped: no such device is registered.');
    expect(planned(user).deliveries).toEqual([]);
    const registered = planned({ ...user, contacts: [contact({ method: 'mobile', to: 'topic-1' })] });
    expect(registered.deliveries.map(({ to }) => to)).toEqual(['topic-1']);
  });

  it.each([
    ['does not exist any more', finished(planPage(page(), undefined, EMAIL))],
    ['is blocked', plan([rule({})], { blocked: true })],
    ['has no notification rule', plan([])],
  ])('sends nothing and says that the user %s', (reason, planned) => {
    expect(planned.deliveries).toEqual([]);
    expect(textsOf(planned)).toContain(reason);
  });

  it.each([
    [undefined, undefined],
    [{ enabled: true, loopAfterMinutes: 10 }, 10],
    [{ enabled: false, loopAfterMinutes: 10 }, undefined],
    [{ enabled: true, loopAfterMinutes: 0 }, undefined],
  ])('repeats with %j after %s minutes', (repeat, minutes) => {
    expect(plan([rule({ ...(repeat && { repeat }) })]).loopAfterMinutes).toBe(minutes);
  });

  it('repeats no rule whose steps are all disabled', () => {
    const repeat = { enabled: true, loopAfterMinutes: 10 };
    expect(plan([rule({ repeat, steps: [step({ enabled: false })] })]).loopAfterMinutes).toBeUndefined();
  });
});

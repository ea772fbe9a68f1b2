import { describe, expect, it } from '@jest/globals';
import { emptyRule, stepContact, stepOf, withoutStep, withStep } from './notification-rule.ts';

const contacts = [
  { id: 'm', method: 'email', to: 'Ada@example.com', enabled: true },
  { id: 's', method: 'sms', to: '39-333', enabled: false },
] as const;
const step = (id: string) => ({
  id,
  contact: { method: 'email' as const, to: 'Ada@example.com' },
  sendAfterMinutes: 0,
  enabled: true,
});
const rule = emptyRule({ id: 'r', name: 'Nights', actionType: 'create-alert', enabled: true });

describe('stepContact', () => {
  it('is a contact of the user, by method and address, also when it is disabled', () => {
    expect(stepContact(contacts, { method: 'sms', to: '39-333' })).toEqual({ method: 'sms', to: '39-333' });
    expect(stepContact(contacts, { method: 'voice', to: '39-333' })).toBeUndefined();
    expect(stepContact(contacts, { method: 'sms', to: '39-334' })).toBeUndefined();
  });

  it('finds a mail address in any letter case, and keeps that of the contact', () => {
    expect(stepContact(contacts, { method: 'email', to: 'ada@EXAMPLE.com' })).toEqual(step('a').contact);
  });

  it('does not change a mobile contact', () => {
    expect(stepContact([], { method: 'mobile', to: 'app' })).toEqual({ method: 'mobile', to: 'app' });
  });
});

describe('the steps of a rule', () => {
  it('keep their places while one is changed or goes', () => {
    const three = ['a', 'b', 'c'].map(step).reduce(withStep, rule);
    const changed = withStep(three, { ...step('b'), enabled: false });
    expect(changed.steps.map(({ id, enabled }) => [id, enabled])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
    expect(withoutStep(changed, step('a')).steps.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(stepOf(changed, 'd')).toBeUndefined();
  });
});

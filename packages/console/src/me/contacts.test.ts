import { describe, expect, test } from '@jest/globals';
import {
  addressHint,
  contactName,
  isUnverified,
  lostStepsText,
  noCodeHint,
  stateText,
  unreachableText,
} from './contacts.ts';
import type { Contact, Rule } from './queries.ts';

const contact = (status: Contact['status'], device?: Contact['device']): Contact => ({
  id: 'c1',
  method: device === undefined ? 'sms' : 'mobile',
  to: '44-2079460000',
  applyOrder: 0,
  status,
  ...(device && { device }),
});
const used = contact({ enabled: true });
const unverified = contact({ enabled: true, disabledReason: 'Contact is not verified yet.' });
const disabled = contact({ enabled: false, disabledReason: 'Contact is disabled.' });

describe('a contact', () => {
  test('It has the name of its method and address; a device that of the device.', () => {
    expect(contactName(used)).toBe('Text message 44-2079460000');
    expect(contactName(contact({ enabled: true }, { name: 'Phone', kind: 'ntfy', verified: true }))).toBe('Push Phone');
  });

  test.each([
    [used, 'Used.'],
    [unverified, 'Not used: it is not verified yet.'],
    [disabled, 'Not used: you disabled it.'],
    [contact({ enabled: true }, { name: 'Phone', kind: 'ntfy', verified: false }), 'Used. No push was sent to it yet.'],
    [
      contact(
        { enabled: true, disabledReason: 'The browser is no longer subscribed to push messages.' },
        { name: 'Firefox', kind: 'web-push', verified: true },
      ),
      'Not used. The browser is no longer subscribed to push messages.',
    ],
    [
      contact(
        { enabled: true, disabledReason: 'Contact is not verified yet.' },
        { name: 'Slack', kind: 'slack', verified: false },
      ),
      'Not used: it is not verified yet.',
    ],
    [contact({ enabled: true }, { name: 'Phone', kind: 'ntfy', verified: true }), 'Used.'],
    [contact({ enabled: false }, { name: 'Phone', kind: 'ntfy', verified: false }), 'Not used: you disabled it.'],
  ])('%j: %s', (each, text) => {
    expect(stateText(each)).toBe(text);
  });

  test('It waits for its code while it is enabled and not used, and not while its owner has disabled it.', () => {
    expect([used, unverified, disabled].map(isUnverified)).toEqual([false, true, false]);
  });

  test('The hint about a code that does not come goes with the method.', () => {
    expect(noCodeHint({ method: 'email' })).toBe('');
    expect(noCodeHint({ method: 'sms' })).toContain('text messages');
    expect(noCodeHint({ method: 'mobile' })).toContain('the id');
  });

  test('Numbers and mail addresses are written in forms of their own.', () => {
    expect(addressHint('email')).not.toBe(addressHint('sms'));
    expect(addressHint('voice')).toBe(addressHint('sms'));
  });
});

describe('a user whose contacts are not used', () => {
  test('They cannot be paged.', () => {
    expect(unreachableText([unverified, used])).toBeUndefined();
    for (const contacts of [[], [unverified, disabled]])
      expect(unreachableText(contacts)).toMatch(/^You cannot be paged/);
  });
});

describe('the steps that go with a contact', () => {
  const step = (to: string) => ({
    id: to,
    contact: { method: 'sms' as const, to },
    sendAfter: { timeAmount: 0, timeUnit: 'minutes' as const },
    enabled: true,
  });
  const rule = (name: string, ...steps: readonly string[]): Rule => ({
    id: name,
    name,
    actionType: 'create-alert',
    order: 0,
    enabled: true,
    criteria: {},
    steps: steps.map(step),
  });

  test('Their rules are named, and those that send nothing from then on.', () => {
    const rules = [rule('New Alert', used.to, 'other'), rule('Night', used.to), rule('Day', 'other')];

    expect(lostStepsText(rules, used)).toBe(
      'The steps that use it go with it, from these notification rules: New Alert, Night (nothing else is left in it).',
    );
    expect(lostStepsText(rules, { ...used, method: 'voice' })).toBe('No notification rule uses it.');
  });
});

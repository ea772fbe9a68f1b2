import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/events';
import {
  DEFAULT_ACTION_TYPES,
  defaultNotificationRules,
  type DefaultRuleIds,
  notificationRuleState,
} from '../notification-rules/notification-rule.ts';
import { NO_ADDRESS, type User, userMessage, userReference } from './user.ts';

const ids = Object.fromEntries(
  DEFAULT_ACTION_TYPES.map((actionType) => [actionType, { rule: `rule-${actionType}`, step: `step-${actionType}` }]),
) as Record<(typeof DEFAULT_ACTION_TYPES)[number], DefaultRuleIds>;

const rules = defaultNotificationRules('ada@example.com', ids);

const ada: User = {
  id: 'ada',
  username: 'ada@example.com',
  fullName: 'Ada',
  role: { id: 'admin', name: 'Admin' },
  skypeUsername: undefined,
  userAddress: NO_ADDRESS,
  tags: [],
  details: {},
  timeZone: 'UTC',
  locale: 'en_US',
  invitationDisabled: false,
  blocked: false,
  verified: false,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  contacts: [{ id: 'contact', method: 'email', to: 'ada@example.com', enabled: true }],
  notificationRules: rules,
  version: { epoch: 1, n: 1 },
};

describe('the default notification rules', () => {
  it('send one mail at once for each action type but two', () => {
    expect(rules.map(({ actionType }) => actionType)).not.toContain('renotified-alert');
    expect(rules.map(({ actionType }) => actionType)).not.toContain('incoming-call-routing');
    for (const rule of rules) {
      expect(rule).toMatchObject({ id: `rule-${rule.actionType}`, enabled: true, order: 0 });
      expect(rule.steps).toEqual([
        {
          id: `step-${rule.actionType}`,
          contact: { method: 'email', to: 'ada@example.com' },
          sendAfterMinutes: 0,
          enabled: true,
        },
      ]);
    }
  });

  it('notify of the start and the end of a shift just before', () => {
    const timed = rules.filter(({ notificationTime }) => notificationTime !== undefined);
    expect(timed.map(({ actionType }) => actionType)).toEqual(['schedule-start', 'schedule-end']);
    expect(timed.map(({ notificationTime }) => notificationTime)).toEqual([['just-before'], ['just-before']]);
  });
});

describe('userMessage', () => {
  it('is a message of the topic', () => {
    const message = userMessage(ada);
    expect(Users.schema.parse(message)).toEqual(message);
    expect(message).toMatchObject({ state: { role: 'admin', notificationRules: rules.map(notificationRuleState) } });
  });
});

describe('the verification for other services', () => {
  const device = { id: 'd1', method: 'mobile', to: 'topic-1', enabled: true } as const;
  const stateOf = (verified: boolean) =>
    userMessage({ ...ada, verified, contacts: [...ada.contacts, { ...device, device: { name: 'Phone', verified } }] });

  it('is that a user and a device are not verified', () => {
    const message = stateOf(false);
    expect(Users.schema.parse(message)).toEqual(message);
    expect(message).toMatchObject({
      state: { unverified: true, contacts: [ada.contacts[0], { ...device, unverifiedDevice: true }] },
    });
  });

  it('is nothing once they are', () => {
    const message = stateOf(true);
    expect(message).toMatchObject({ state: { contacts: [ada.contacts[0], device] } });
    expect(JSON.stringify(message)).not.toMatch(/unverified/i);
  });
});

describe('userReference', () => {
  it('reads a text with an @ as a user name, in any case, and others as an id', () => {
    expect(userReference('Ada+Night@Example.com')).toEqual({ username: 'ada+night@example.com' });
    expect(userReference('6f1f5a7e-0000-4000-8000-000000000001')).toEqual({
      id: '6f1f5a7e-0000-4000-8000-000000000001',
    });
  });
});

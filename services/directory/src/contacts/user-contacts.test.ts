import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ContactBodyMethod } from '@tocsin/api';
import { DEFAULT_ACTION_TYPES, defaultNotificationRules } from '../notification-rules/notification-rule.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import type { User } from '../users/user.ts';
import { contactState, disabledReason } from './contact.ts';
import {
  type ConfirmationPolicy,
  contactOf,
  MAX_CONTACTS_OF_METHOD,
  MAX_DEVICES,
  subscription,
  withAddress,
  withContact,
  withContactEnabled,
  withDevice,
  withoutContact,
} from './user-contacts.ts';

const ruleIds = Object.fromEntries(
  DEFAULT_ACTION_TYPES.map((type) => [type, { rule: `rule-${type}`, step: `step-${type}` }]),
) as Parameters<typeof defaultNotificationRules>[1];
const ada = sampleUser('ada', { notificationRules: defaultNotificationRules('ada@example.com', ruleIds) });

function added(user: User, method: ContactBodyMethod, to: string, policy: ConfirmationPolicy = 'off'): User {
  const addition = withContact(user, { id: `${method} ${to}`, method, to }, `step of ${to}`, policy);
  if (addition.kind !== 'added') throw new Error(addition.kind);
  return addition.user;
}

const newAlert = (user: User) => user.notificationRules.find(({ actionType }) => actionType === 'create-alert');
const stepsOf = (user: User) =>
  (newAlert(user)?.steps ?? []).map(({ contact, sendAfterMinutes }) => [contact.to, sendAfterMinutes]);

/** `ada` whose default rule for new alerts is changed. */
const withRule = (change: Partial<User['notificationRules'][number]>): User => ({
  ...ada,
  notificationRules: ada.notificationRules.map((rule) =>
    rule.actionType === 'create-alert' ? { ...rule, ...change } : rule,
  ),
});

describe('the default rule for new alerts', () => {
  it('gets the steps of the first sms and the first voice contact in the order of their delays', () => {
    const both = added(added(ada, 'voice', '39-06'), 'sms', '1-1');
    expect(stepsOf(both)).toEqual([
      ['ada@example.com', 0],
      ['1-1', 5],
      ['39-06', 10],
    ]);
    expect(stepsOf(added(both, 'sms', '1-2'))).toEqual(stepsOf(both));
    expect(newAlert(both)?.steps.map(({ id }) => id)).toEqual(['step-create-alert', 'step of 1-1', 'step of 39-06']);
    const others = (user: User) => user.notificationRules.filter(({ actionType }) => actionType !== 'create-alert');
    expect(others(both)).toEqual(others(ada));
  });

  it('still counts as unchanged when its mail address was changed, and when another contact was added and removed', () => {
    const moved = withAddress(ada, 'contact-ada', 'night@example.com', 'off');
    if (moved.kind !== 'moved') throw new Error(moved.kind);
    const left = withoutContact(added(moved.user, 'voice', '39-06'), 'voice 39-06');
    if (left === undefined) throw new Error('missing');
    expect(stepsOf(added(left.user, 'voice', '39-07'))).toEqual([
      ['night@example.com', 0],
      ['39-07', 10],
    ]);
  });

  const [mailStep] = newAlert(ada)?.steps ?? [];
  if (mailStep === undefined) throw new Error('no step');
  it.each<[string, Partial<User['notificationRules'][number]>]>([
    ['has another name', { name: 'Night' }],
    ['is disabled', { enabled: false }],
    ['has conditions', { criteria: { set: { type: 'match-any-condition', conditions: [] }, written: {} } }],
    ['repeats', { repeat: { enabled: true, loopAfterMinutes: 5 } }],
    ['holds at some times', { timeRestriction: { type: 'time-of-day', restrictions: [] } as never }],
    ['has no step', { steps: [] }],
    ['has a step at another time', { steps: [{ ...mailStep, sendAfterMinutes: 1 }] }],
    ['has a disabled step', { steps: [{ ...mailStep, enabled: false }] }],
    ['has a second mail', { steps: [mailStep, { ...mailStep, id: 'second' }, { ...mailStep, id: 'third' }] }],
    ['has a step for an app', { steps: [mailStep, { ...mailStep, contact: { method: 'mobile', to: 'app' } }] }],
  ])('is left alone when it %s', (_, change) => {
    const user = withRule(change);
    expect(newAlert(added(user, 'sms', '1-1'))).toBe(newAlert(user));
  });

  it('is added to no rule where the default rule was deleted', () => {
    const user = { ...ada, notificationRules: [] };
    expect(added(user, 'sms', '1-1').notificationRules).toEqual([]);
  });
});

describe('a contact that is confirmed by a code', () => {
  it('waits from its creation on, unless it is the mail address of the user', () => {
    const user = added(ada, 'sms', '1-1', 'required');
    const contact = contactOf(user, 'sms 1-1');
    expect(contact).toMatchObject({ enabled: true, verification: {} });
    expect(contact && disabledReason(contact)).toBe('Contact is not verified yet.');
    expect(user.contacts.map(contactState)).toMatchObject([{ method: 'email' }, { method: 'sms', unverified: true }]);
    const bare = { ...ada, contacts: [] };
    const own = contactOf(added(bare, 'email', 'Ada@Example.com', 'required'), 'email Ada@Example.com');
    expect(own && contactState(own)).toEqual({ ...own });
    expect(own).not.toHaveProperty('verification');
  });

  it('waits again at a new place, and not when its address is only spelled otherwise', () => {
    const user = added(ada, 'email', 'other@example.com');
    const id = 'email other@example.com';
    const respelled = withAddress(user, id, 'Other@example.com', 'required');
    const moved = withAddress(user, id, 'elsewhere@example.com', 'required');
    if (respelled.kind !== 'moved' || moved.kind !== 'moved') throw new Error('not moved');
    expect(contactOf(respelled.user, id)).toEqual({ id, method: 'email', to: 'Other@example.com', enabled: true });
    expect(contactOf(moved.user, id)).toMatchObject({ to: 'elsewhere@example.com', verification: {} });
    const free = withAddress(moved.user, id, 'third@example.com', 'off');
    expect(free.kind === 'moved' && contactOf(free.user, id)).not.toHaveProperty('verification');
  });
});

describe('the contacts of a user', () => {
  const methods = fc.constantFrom<ContactBodyMethod>('email', 'sms', 'voice');
  interface Action {
    readonly kind: 'add' | 'move' | 'remove' | 'switch';
    readonly method: ContactBodyMethod;
    readonly n: number;
    readonly m: number;
  }
  const actions: fc.Arbitrary<Action[]> = fc.array(
    fc.record({
      kind: fc.constantFrom('add' as const, 'move' as const, 'remove' as const, 'switch' as const),
      method: methods,
      n: fc.nat(4),
      m: fc.nat(4),
    }),
    { maxLength: 30 },
  );
  /** Ids are given once, whatever was removed in between. */
  let ids = 0;
  const addressOf = (method: ContactBodyMethod, n: number) => (method === 'email' ? `${n}@example.com` : `1-${n}`);

  /** The user after one action on the contact of that number, or at the address of that number. */
  const doing = {
    add: (user: User, { method, n }: Action) => {
      ids += 1;
      return withContact(user, { id: `c${ids}`, method, to: addressOf(method, n) }, 's', 'off');
    },
    move: (user: User, { n, m }: Action) => {
      const { id = '', method = 'sms' } = user.contacts[n] ?? {};
      return withAddress(user, id, addressOf(method as ContactBodyMethod, m), 'off');
    },
    remove: (user: User, { n }: Action) => withoutContact(user, user.contacts[n]?.id ?? ''),
    switch: (user: User, { n, m }: Action) => ({ user: withContactEnabled(user, user.contacts[n]?.id ?? '', m > 2) }),
  };

  function after(user: User, action: Action): User {
    const change = doing[action.kind](user, action);
    return change !== undefined && 'user' in change ? (change.user ?? user) : user;
  }

  it('are at most two of each method that callers add, each address once, and every step has its contact', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const user = list.reduce(after, ada);
        const places = user.contacts.map(({ method, to }) => `${method} ${to}`);
        expect(new Set(places).size).toBe(places.length);
        for (const method of ['email', 'sms', 'voice'])
          expect(places.filter((place) => place.startsWith(method)).length).toBeLessThanOrEqual(MAX_CONTACTS_OF_METHOD);
        for (const { contact } of user.notificationRules.flatMap(({ steps }) => steps))
          expect(places).toContain(`${contact.method} ${contact.to}`);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a device', () => {
  it('is the last contact of its user, who has five at most', () => {
    const ada = sampleUser('ada');
    const device = { id: 'd1', name: 'Phone', topic: 'topic-1' };
    const one = withDevice(ada, device);
    expect(one?.contacts).toEqual([
      ...ada.contacts,
      { id: 'd1', method: 'mobile', to: 'topic-1', enabled: true, device: { name: 'Phone', verified: false } },
    ]);
    const five = Array.from({ length: 4 }, (_, number) => `d${number + 2}`).reduce(
      (user, id) => withDevice(user ?? ada, { ...device, id, topic: id }),
      one,
    );
    expect(five?.contacts.filter(({ method }) => method === 'mobile')).toHaveLength(MAX_DEVICES);
    expect(withDevice(five ?? ada, { ...device, id: 'd6', topic: 'topic-6' })).toBeUndefined();
  });

  it.each([
    ['https://push.example.com', 'https://push.example.com/t', 'ntfy://push.example.com/t'],
    ['https://push.example.com/', 'https://push.example.com/t', 'ntfy://push.example.com/t'],
    ['http://10.0.0.1:8080', 'http://10.0.0.1:8080/t', 'ntfy://10.0.0.1:8080/t?secure=false'],
  ])('subscribes at %s to its topic', (pushUrl, url, qrText) => {
    expect(subscription(pushUrl, 't')).toEqual({ url, qrText });
  });
});

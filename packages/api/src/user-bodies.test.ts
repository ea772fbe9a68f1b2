import { expect, it } from '@jest/globals';
import { ConfirmContactBody, CreateContactBody, UpdateContactBody } from './resources/contacts.ts';
import {
  CopyNotificationRulesBody,
  CreateNotificationRuleBody,
  CreateNotificationStepBody,
  UpdateNotificationRuleBody,
} from './resources/notification-rule-bodies.ts';
import { CreateUserBody, GetUserQuery, ListUsersQuery, UpdateUserBody } from './resources/users.ts';
import { validator } from './testing/described.ts';
import { describeJsonSchemas, type ReadSchemas } from './testing/json-schemas.ts';

const user = (fields: object) => ({ username: 'ada@example.com', fullName: 'Ada', role: { name: 'user' }, ...fields });
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, ['a']]));
const contact = { method: 'sms', to: '44-2079460000' };
const step = (fields: object) => ({ contact, enabled: true, ...fields });
const rule = (fields: object) => ({ name: 'New', actionType: 'create-alert', enabled: true, ...fields });
const copy = (fields: object) => ({ toUsers: ['all'], ruleTypes: ['all'], ...fields });

/** Values that a body or a query takes, and values that it refuses. */
const SCHEMAS: ReadSchemas = {
  'new user': [
    CreateUserBody,
    [
      user({}),
      user({ username: "o'hara+on.call@mail.example", role: { id: 'custom', name: '' } }),
      user({ skypeUsername: null, userAddress: {}, tags: null, details: null, timeZone: '', locale: '' }),
      user({ timezone: 'Europe/Rome', locale: 'it_IT', invitationDisabled: 'true', details: named(1_000) }),
    ],
    [
      { username: 'ada@example.com', fullName: 'Ada' },
      user({ username: 'ada' }),
      user({ username: 'a b@example.com' }),
      user({ username: 'ada@example.com, bob@example.com' }),
      user({ username: `${'a'.repeat(65)}@example.com` }),
      user({ username: `a@${'b'.repeat(99)}` }),
      user({ fullName: '' }),
      user({ fullName: '😀'.repeat(513) }),
      user({ role: {} }),
      user({ role: { name: ' ', id: 'custom' } }),
      user({ details: named(1_001) }),
      user({ details: { a: 'b' } }),
      user({ details: [] }),
      user({ locale: 'english' }),
      user({ timeZone: '+01:00' }),
    ],
  ],
  'changes of a user': [
    UpdateUserBody,
    [{}, { fullName: '', role: {}, skypeUsername: '', tags: [] }],
    [{ fullName: ' ' }, { role: 'admin' }, { tags: 'on-site' }],
  ],
  'one user': [GetUserQuery, [{}, { expand: 'contact' }, { expand: '' }], [{ expand: 'team' }]],
  'page of users': [
    ListUsersQuery,
    [
      {},
      { sort: 'fullName', sortField: '', order: 'desc', query: '', expand: 'contact', limit: 500, offset: 0 },
      { query: 'role:admin' },
      { query: 'fullName:"Ada Lovelace" AND blocked:false  locale:en*' },
      { query: 'createdAt>=2026-01-31 createdAt<2026-02-01T08:00:00.5Z createdAt:1769846400000' },
    ],
    [
      { limit: 501 },
      { offset: -1 },
      { sort: 'age' },
      { query: 'ada' },
      { query: 'age:7' },
      { query: 'blocked:perhaps' },
      { query: 'role:admin AND' },
      { query: 'locale<en' },
      { query: 'createdAt:2026-02-30' },
      { query: `role:${'a'.repeat(996)}` },
    ],
  ],
  'new contact': [
    CreateContactBody,
    [contact, { method: 'voice', to: '1-5' }, { method: 'email', to: 'ada@example.com' }],
    [
      { method: 'mobile', to: '1-5' },
      { method: 'sms', to: '5551234567' },
      { method: 'sms', to: 'ada@example.com' },
      { method: 'email', to: '1-5' },
      { method: 'email', to: '' },
      { method: 'voice' },
    ],
  ],
  'changes of a contact': [UpdateContactBody, [{ to: '1-5' }, { to: 'ada@example.com' }], [{}, { to: ' ' }]],
  code: [
    ConfirmContactBody,
    [{ code: '012345' }, { code: 12_345 }, { code: 0 }],
    [{}, { code: '12345' }, { code: 1_000_000 }, { code: -1 }, { code: 1.5 }],
  ],
  'new step': [
    CreateNotificationStepBody,
    [step({}), step({ sendAfter: 5 }), step({ sendAfter: { timeAmount: 0 } }), step({ enabled: 'false' })],
    [
      { contact },
      step({ contact: {} }),
      step({ contact: { method: 'sms', to: '' } }),
      step({ sendAfter: { timeAmount: -1 } }),
      step({ sendAfter: 1_000_001 }),
      step({ enabled: 'yes' }),
    ],
  ],
  'new rule': [
    CreateNotificationRuleBody,
    [
      rule({}),
      rule({ repeat: {}, steps: [], schedules: null, criteria: {} }),
      rule({ repeat: { loopAfter: 5 }, steps: [step({ id: '', sendAfter: 0 })], schedules: [{ id: 'a' }] }),
      rule({ actionType: 'closed-alert', steps: [step({})] }),
      rule({ actionType: 'schedule-end', notificationTime: ['just-before'], steps: [step({})] }),
      rule({ repeat: { enabled: false }, notificationTime: ['just-before'], schedules: [{ name: 'Nights' }] }),
      rule({ repeat: { loopAfter: null, enabled: null } }),
    ],
    [
      rule({ name: '' }),
      rule({ actionType: 'escalated' }),
      rule({ enabled: null }),
      rule({ repeat: { enabled: true } }),
      rule({ repeat: { loopAfter: 0 } }),
      rule({ schedules: [{ type: 'schedule' }] }),
      rule({ schedules: [{ type: 'team', id: 'a' }] }),
      rule({ notificationTime: ['later'] }),
      rule({ steps: [{}] }),
    ],
  ],
  'changes of a rule': [UpdateNotificationRuleBody, [{}, { name: '', enabled: null, repeat: null }], [{ order: -1 }]],
  copy: [
    CopyNotificationRulesBody,
    [copy({}), copy({ toUsers: 'ada@example.com', ruleTypes: 'new-alert' }), copy({ ruleTypes: ['add-note'] })],
    [copy({ toUsers: [] }), copy({ toUsers: [' '] }), copy({ ruleTypes: [] }), copy({ ruleTypes: ['escalated'] })],
  ],
};

describeJsonSchemas(SCHEMAS);

it.each([
  rule({ actionType: 'assigned-alert', steps: [step({})] }),
  rule({ actionType: 'create-alert', steps: [step({ sendAfter: null })] }),
  rule({ actionType: 'schedule-start' }),
  rule({ actionType: 'schedule-end', notificationTime: [] }),
])('the description of a new rule demands what the service demands of its action type: not %j', (body) => {
  expect(validator(CreateNotificationRuleBody)(body)).toBe(false);
});

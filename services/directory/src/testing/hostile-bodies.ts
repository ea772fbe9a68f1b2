import { importId } from './import-fixture.ts';
import { moveBody } from './move-samples.ts';
import { ADA } from './notification-rule-fixture.ts';

/** A write with a valid body, and the read of the thing that it changes. */
export interface Write {
  readonly method: 'post' | 'patch' | 'put';
  readonly path: string;
  readonly body: object;
  readonly read: string;
}

/** Things that writes need, made before. */
export interface Things {
  readonly bobId: string;
  readonly contactId: string;
  readonly ruleId: string;
  readonly shiftId: string;
  readonly stepId: string;
  readonly teamId: string;
  readonly routingRuleId: string;
  readonly roleId: string;
  readonly teamRoleId: string;
}

const ada = `/v2/users/${ADA}`;
const rules = `${ada}/notification-rules`;

const criteria = {
  type: 'match-any-condition',
  conditions: [
    { field: 'extra-properties', key: 'k', not: true, operation: 'greater-than', expectedValue: '5', order: 0 },
    { field: 'message', not: false, operation: 'matches', expectedValue: 'a.*', order: 1 },
  ],
};
const hours = { startHour: 8, startMin: 0, endHour: 18, endMin: 15 };
const weekly = {
  type: 'weekday-and-time-of-day',
  restrictions: [{ startDay: 'monday', endDay: 'friday', ...hours }],
};
const step = {
  contact: { method: 'email', to: ADA },
  sendAfter: { timeAmount: 1, timeUnit: 'minutes' },
  enabled: true,
};
export const rule = {
  name: 'Rule',
  actionType: 'create-alert',
  enabled: true,
  criteria,
  timeRestriction: weekly,
  order: 0,
  repeat: { loopAfter: 5, enabled: true },
  steps: [step],
};
export const shift = {
  ...rule,
  actionType: 'schedule-start',
  notificationTime: ['just-before'],
  schedules: [{ type: 'schedule', id: 'night', name: 'Night shift' }],
};
export const routingRule = {
  name: 'Disks',
  order: 0,
  timezone: 'UTC',
  criteria,
  timeRestriction: { type: 'time-of-day', restriction: hours },
  notify: { type: 'schedule', id: 'night', name: 'Night shift' },
};
export const role = { name: 'Watcher', extendedRole: 'user', grantedRights: ['a'], disallowedRights: ['b'] };
export const teamRole = { name: 'Lead', rights: [{ right: 'x', granted: true }] };

const user = {
  username: 'eve@example.com',
  fullName: 'Eve',
  role: { name: 'user' },
  skypeUsername: 'eve',
  userAddress: { country: 'IT', state: 'RM', city: 'Rome', line: 'Via', zipCode: '00100' },
  tags: ['t'],
  details: { k: ['v'] },
  timezone: 'UTC',
  timeZone: 'UTC',
  locale: 'en_US',
  invitationDisabled: true,
};

/** One write for each operation of the service that takes a body. */
export function writesOf(things: Things): readonly Write[] {
  return [
    ...writesOfUsers(things),
    ...writesOfRules(things),
    ...writesOfTeams(things),
    ...writesOfRoles(things),
    ...SIGN_IN_WRITES,
    ...importsOf(things),
    { method: 'put', path: '/v2/account/shadow', body: { enabled: true }, read: '/v2/account/shadow' },
    { method: 'put', path: '/v2/account/move', body: moveBody(), read: '/v2/account/move' },
  ];
}

const importedContact = { id: importId(2), method: 'email', to: 'eve@example.com', enabled: true };
const importedUser = { ...user, username: 'imported@example.com', contacts: [importedContact] };
const importsOf = ({ bobId, teamId }: Things): readonly Write[] => [
  {
    method: 'put',
    path: `/v2/imports/teams/${importId(1)}`,
    body: { name: 'Imported', description: 'd', members: [{ user: { id: bobId } }], roles: [teamRole] },
    read: '/v2/teams',
  },
  {
    method: 'put',
    path: `/v2/imports/routing-rules/${teamId}`,
    body: { rules: [routingRule, { ...routingRule, criteria: {}, isDefault: true }] },
    read: `/v2/teams/${teamId}/routing-rules`,
  },
  {
    method: 'put',
    path: `/v2/imports/notification-rules/${bobId}`,
    body: { rules: [{ ...rule, steps: [{ ...step, contact: { method: 'email', to: 'bob@example.com' } }] }] },
    read: `/v2/users/${bobId}/notification-rules`,
  },
  { method: 'put', path: `/v2/imports/users/${importId(1)}`, body: importedUser, read: '/v2/users' },
  {
    method: 'put',
    path: `/v2/imports/roles/${importId(1)}`,
    body: { ...role, name: 'Imported' },
    read: '/v2/roles',
  },
];

const SIGN_IN_WRITES: readonly Write[] = [
  { method: 'post', path: '/console/api/sign-in', body: { username: ADA }, read: '/v2/users' },
  { method: 'post', path: '/console/api/sign-in/redeem', body: { code: '31415926' }, read: '/v2/users' },
  { method: 'post', path: '/console/api/sign-in/openid/redeem', body: { code: 'c', state: 's' }, read: '/v2/users' },
];

const browser = {
  name: 'Firefox',
  subscription: {
    endpoint: 'https://push.example.net/1',
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  },
  replaces: 'b1',
};

const writesOfUsers = ({ bobId, contactId }: Things): readonly Write[] => [
  { method: 'post', path: '/v2/users', body: user, read: '/v2/users' },
  { method: 'patch', path: `/v2/users/${bobId}`, body: user, read: `/v2/users/${bobId}` },
  { method: 'post', path: `${ada}/contacts`, body: { method: 'voice', to: '1-555' }, read: `${ada}/contacts` },
  { method: 'patch', path: `${ada}/contacts/${contactId}`, body: { to: '1-556' }, read: `${ada}/contacts` },
  { method: 'post', path: `${ada}/devices`, body: { name: 'Phone' }, read: `${ada}/contacts` },
  { method: 'post', path: `${ada}/browsers`, body: browser, read: `${ada}/contacts` },
  {
    method: 'post',
    path: `${ada}/contacts/${contactId}/verification/confirm`,
    body: { code: '123456' },
    read: `${ada}/contacts`,
  },
];

const writesOfRules = ({ bobId, ruleId, shiftId, stepId }: Things): readonly Write[] => [
  { method: 'post', path: rules, body: rule, read: rules },
  { method: 'post', path: rules, body: shift, read: rules },
  { method: 'patch', path: `${rules}/${ruleId}`, body: rule, read: `${rules}/${ruleId}` },
  { method: 'patch', path: `${rules}/${shiftId}`, body: shift, read: `${rules}/${shiftId}` },
  { method: 'post', path: `${rules}/${ruleId}/change-order`, body: { order: 1 }, read: rules },
  { method: 'post', path: `${rules}/${ruleId}/steps`, body: step, read: `${rules}/${ruleId}` },
  { method: 'patch', path: `${rules}/${ruleId}/steps/${stepId}`, body: step, read: `${rules}/${ruleId}` },
  ...(['patch', 'post'] as const).map((method) => ({
    method,
    path: `${rules}/copy-to`,
    body: { toUsers: [bobId], ruleTypes: ['all'] },
    read: `/v2/users/${bobId}/notification-rules`,
  })),
];

function writesOfTeams({ bobId, teamId, routingRuleId }: Things): readonly Write[] {
  const team = `/v2/teams/${teamId}`;
  const routing = `${team}/routing-rules`;
  const member = { user: { id: bobId, username: 'bob@example.com' }, role: 'admin' };
  return [
    {
      method: 'post',
      path: '/v2/teams',
      body: { name: 'New', description: 'd', members: [member] },
      read: '/v2/teams',
    },
    { method: 'patch', path: team, body: { name: 'Ops', description: 'd', members: [member] }, read: team },
    { method: 'post', path: `${team}/members`, body: member, read: team },
    { method: 'post', path: routing, body: routingRule, read: routing },
    { method: 'patch', path: `${routing}/${routingRuleId}`, body: routingRule, read: routing },
    { method: 'post', path: `${routing}/${routingRuleId}/change-order`, body: { order: 0 }, read: routing },
  ];
}

function writesOfRoles({ teamId, roleId, teamRoleId }: Things): readonly Write[] {
  const roles = `/v2/teams/${teamId}/roles`;
  return [
    { method: 'post', path: '/v2/roles', body: { ...role, name: 'New' }, read: '/v2/roles' },
    { method: 'put', path: `/v2/roles/${roleId}`, body: role, read: `/v2/roles/${roleId}` },
    { method: 'post', path: roles, body: { ...teamRole, name: 'New' }, read: roles },
    { method: 'patch', path: `${roles}/${teamRoleId}`, body: teamRole, read: roles },
  ];
}

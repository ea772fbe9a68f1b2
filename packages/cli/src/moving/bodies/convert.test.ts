import { describe, expect, it } from '@jest/globals';
import { opsgenieAccount } from '@tocsin/testkit';
import type { Json } from '../json.ts';
import type { KindName } from '../kinds.ts';
import { canonical, type Side } from './body.ts';
import { convert } from './convert.ts';

const SIDE: Side = {
  ...{ zone: 'Europe/Berlin', locale: 'en_GB', isTocsin: false, endedBefore: Date.parse('2026-03-02T00:00:00Z') },
  ...{ roles: new Set<string>(), policies: new Set<string>(), unknownTypes: new Set<string>() },
};
const account = opsgenieAccount();
const found = (kind: KindName, value: Json, parts: Readonly<Record<string, readonly Json[]>> = {}, side = SIDE) => {
  const { bodies, losses } = convert(kind, String(value['id'] ?? value['name']), { value, parts }, side);
  return { bodies: bodies.map(({ body }) => body), losses: losses.map(({ what }) => what) };
};
const firstOf = (kind: KindName, value: Json, parts?: Readonly<Record<string, readonly Json[]>>): Json =>
  found(kind, value, parts).bodies[0] ?? {};

describe('the bodies of users', () => {
  const [ada = {}, grace = {}, , left = {}] = account.users;
  const partsOf = (user: Json) => ({
    contacts: account.contacts.get(String(user['id'])) ?? [],
    notificationRules: account.notificationRules.get(String(user['id'])) ?? [],
  });

  it('have contacts without devices, and rules by their types', () => {
    const { bodies, losses } = found('users', ada, partsOf(ada));
    expect(bodies[0]).toMatchObject({
      username: 'ada@example.com',
      timeZone: 'Europe/Berlin',
    });
    expect(bodies[0]?.['contacts']).toMatchObject([{ method: 'email', to: 'ada@example.com', enabled: true }]);
    expect(losses).toEqual([expect.stringContaining('The device [phone of Ada] is not moved')]);
    expect(bodies[1]?.['rules']).toMatchObject([
      { actionType: 'closed-alert', name: 'Closed' },
      { actionType: 'create-alert', steps: [{ sendAfter: { timeAmount: 0, timeUnit: 'minutes' } }] },
    ]);
  });

  it('have the address of the user name, always with the same id, and contacts as they were enabled', () => {
    const [first, second] = [firstOf('users', grace, partsOf(grace)), firstOf('users', grace, partsOf(grace))];
    expect(first['contacts']).toMatchObject([
      { method: 'email', to: 'grace@example.com', enabled: true },
      { method: 'sms', to: '1-5550100', enabled: false },
    ]);
    expect(canonical(first)).toBe(canonical(second));
  });

  it('have no enabled contact where the user is blocked', () => {
    const { bodies, losses } = found('users', left);
    expect(bodies[0]?.['contacts']).toMatchObject([{ enabled: false }]);
    expect(losses).toEqual([expect.stringContaining('The user is blocked')]);
  });

  it.each(['Owner', 'admin', 'USER'])('have the fixed role %s in its spelling, which Terraform compares', (name) => {
    expect(firstOf('users', { ...ada, role: { id: name, name } })['role']).toEqual({ name });
  });

  it('name a custom role by its id, and take user for a role that Tocsin does not have', () => {
    const role = { id: 'a-role', name: 'Observer' };
    const custom = found('users', { ...ada, role }, {}, { ...SIDE, roles: new Set(['a-role']) });
    expect(custom.bodies[0]?.['role']).toEqual({ id: 'a-role' });
    const { bodies, losses } = found('users', { ...ada, role });
    expect(bodies[0]?.['role']).toEqual({ name: 'user' });
    expect(losses).toEqual([expect.stringContaining('The role [Observer]')]);
  });

  it('name each field that Tocsin does not have', () => {
    expect(found('users', { ...ada, favouriteColour: 'blue', nothing: [] }).losses).toEqual([
      'Not moved, because Tocsin has no such field: favouriteColour.',
    ]);
  });
});

describe('the bodies of schedules', () => {
  const rotation = {
    id: 'r',
    name: 'Rot',
    type: 'WEEKLY',
    startDate: '2026-03-02T08:00:00Z',
    participants: [{ type: 'none' }],
  };
  const withRotation = (change: object): Json => ({
    id: 's',
    name: 'S',
    timezone: 'Asia/Kathmandu',
    rotations: [{ ...rotation, ...change }],
  });

  it('have the starts of rotations as they are, and say where restrictions are rounded', () => {
    const restriction = { startHour: 8, startMin: 10, endHour: 18, endMin: 0 };
    const timeRestriction = { type: 'time-of-day', restriction };
    const { bodies, losses } = found('schedules', withRotation({ startDate: '2026-03-02T08:20:00Z', timeRestriction }));
    expect(bodies[0]?.['rotations']).toMatchObject([
      {
        startDate: '2026-03-02T08:20:00.000Z',
        length: 1,
        type: 'weekly',
        timeRestriction: { restriction: { startMin: 0 } },
      },
    ]);
    expect(losses).toEqual([expect.stringContaining('nearest full or half hours')]);
  });

  it.each([
    [
      { startDay: 'SUNDAY', startHour: '23', startMin: '50', endDay: 'Monday', endHour: 8, endMin: 0 },
      ['monday', 0, 0],
    ],
    [{ startDay: 'friday', startHour: 17, startMin: 15, endDay: 'monday', endHour: 8, endMin: 0 }, ['friday', 17, 30]],
  ])('round the start of a restriction as Tocsin does: %j', (span, [startDay, startHour, startMin]) => {
    const timeRestriction = { type: 'weekday-and-time-of-day', restrictions: [span] };
    const rotations = firstOf('schedules', withRotation({ timeRestriction }))['rotations'] as readonly Json[];
    expect(rotations[0]?.['timeRestriction']).toEqual({
      type: 'weekday-and-time-of-day',
      restrictions: [{ startDay, startHour, startMin, endDay: 'monday', endHour: 8, endMin: 0 }],
    });
  });

  it('leave out overrides that ended, and count them', () => {
    const override = (alias: string, endDate: string) => ({
      alias,
      user: { type: 'user', id: 'u' },
      startDate: '2026-01-01T00:00:00Z',
      endDate,
    });
    const overrides = [override('old', '2026-02-01T00:00:00Z'), override('new', '2026-04-01T00:00:00Z')];
    const { bodies, losses } = found('schedules', withRotation({}), { overrides });
    expect(bodies[0]?.['overrides']).toMatchObject([{ alias: 'new', user: { type: 'user', id: 'u' } }]);
    expect(losses).toEqual(['Overrides that ended before are not moved: 1 of 2.']);
  });
});

describe('the bodies of other things', () => {
  it('have routing rules in their order, the default rule last and without a name', () => {
    const [team = {}] = account.teams;
    const { bodies } = found('teams', team, { routingRules: account.routingRules.get(String(team['id'])) ?? [] });
    const rules = bodies[1]?.['rules'] as Json[];
    expect(rules.map(({ name }) => name)).toEqual(['All', 'Critical', undefined]);
    expect(bodies[0]?.['members']).toMatchObject([{ role: 'admin' }, { role: 'user' }]);
  });

  it('have a repeat only where an escalation repeats, with its defaults', () => {
    const rules = [{ recipient: { type: 'team', id: 't' }, delay: { timeAmount: '2', timeUnit: 'hours' } }];
    expect(firstOf('escalations', { id: 'e', name: 'E', rules, repeat: { waitInterval: 0, count: 3 } })).toEqual({
      name: 'E',
      description: '',
      rules: [
        {
          ...{ condition: 'if-not-acked', notifyType: 'default', recipient: { type: 'team', id: 't' } },
          delay: { timeAmount: 120, timeUnit: 'minutes' },
        },
      ],
    });
    expect(
      firstOf('escalations', { id: 'e', name: 'E', rules, repeat: { waitInterval: '5' } })['repeat'],
    ).toMatchObject({ waitInterval: 5, count: 1 });
  });

  it('make an API integration of a type that Tocsin does not know', () => {
    const side = { ...SIDE, unknownTypes: new Set(['abacus']) };
    const { bodies, losses } = found('integrations', { id: 'i', name: 'A', type: 'Abacus', colour: 'red' }, {}, side);
    expect(bodies).toMatchObject([{ type: 'API', allowReadAccess: true, responders: [] }]);
    expect(losses).toEqual([expect.stringContaining('type [Abacus]'), expect.stringContaining('colour')]);
  });

  it('have actions of an integration only where a user wrote some', () => {
    const [{ id = '' } = {}] = account.integrations;
    const actions = [account.actions.get(String(id)) ?? {}];
    const value = { id, name: 'A', type: 'API' };
    expect(firstOf('integrations', value, { actions })['actions']).toMatchObject({
      create: [{ name: 'Create', source: '{{source}}' }],
      close: [],
    });
    expect(firstOf('integrations', { ...value, isAdvanced: false }, { actions })['actions']).toBeUndefined();
  });

  it('disable heartbeats until the cut-over', () => {
    const heartbeat = { name: 'h', interval: '5', intervalUnit: 'minutes', enabled: true };
    const { bodies, losses } = found('heartbeats', heartbeat);
    expect(bodies).toMatchObject([{ enabled: false, interval: 5 }]);
    expect(losses).toEqual([expect.stringContaining('Enable it at the cut-over')]);
    expect(found('heartbeats', heartbeat, {}, { ...SIDE, isTocsin: true }).bodies).toMatchObject([{ enabled: true }]);
  });

  it('have windows with an end of their own, and none that is over', () => {
    const [window = {}] = account.maintenance;
    expect(
      firstOf('maintenance', { ...window, time: { ...(window['time'] as Json), type: 'for-1-hour' } })['time'],
    ).toEqual({
      ...{ type: 'schedule', startDate: '2026-01-01T00:00:00.000Z', endDate: '2027-06-01T00:00:00.000Z' },
    });
    expect(found('maintenance', { ...window, time: { type: 'for-1-hour' } })).toEqual({
      bodies: [],
      losses: ['The API does not show when the window ends, so it is not moved: create it in Tocsin.'],
    });
    expect(found('maintenance', { ...window, status: 'cancelled' })).toEqual({
      bodies: [],
      losses: ['The window is over, so it is not moved.'],
    });
  });

  it('move a policy of version 1 only where version 2 does not show it', () => {
    const [old = {}] = account.deprecatedPolicies;
    expect(found('policies-v1', { ...old, duration: { timeAmount: 1, timeUnit: 'day' } }).bodies).toMatchObject([
      { type: 'auto-close', duration: { timeAmount: 1, timeUnit: 'days' } },
    ]);
    expect(found('policies-v1', old, {}, { ...SIDE, policies: new Set([String(old['id'])]) }).bodies).toEqual([]);
  });

  it('say of a service that Tocsin has none', () => {
    expect(found('services', { id: 's', name: 'Shop' })).toEqual({
      bodies: [],
      losses: ['Tocsin has no services: the snapshot keeps it.'],
    });
  });
});

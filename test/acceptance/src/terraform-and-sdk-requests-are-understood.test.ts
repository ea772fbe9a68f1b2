import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

/** The requests are those of the Go SDK, which Terraform and the command line use: with its empty and internal fields. */
const system = useSystem();
let scenario: Scenario;

beforeEach(() => {
  scenario = system.scenario();
});

interface Named {
  readonly id: string;
  readonly name: string;
}
type Owned = Named & { readonly ownerTeam?: { readonly name: string } };

const address = (name: string) => scenario.address(name);
const post = (path: string, body: unknown = {}) => system.api.expect(200, 'POST', path, body);
const patch = (path: string, body: unknown) => system.api.expect(200, 'PATCH', path, body);
const remove = (path: string) => system.api.expect(200, 'DELETE', path);
const isGone = async (path: string) => {
  expect((await system.api.request('GET', path)).status).toBe(404);
};

const createUser = (name: string) =>
  system.api.create<Named>('/v2/users', {
    username: address(name),
    fullName: 'Ada Lovelace',
    role: { name: 'User' },
    skypeUsername: 'ada',
    userAddress: {},
    timeZone: 'America/New_York',
    locale: 'en_US',
    invitationDisabled: 'true',
    tags: null,
  });

const monday = { startDay: 'monday', startHour: 8, startMin: 15, endDay: 'friday', endHour: 18, endMin: 45 };
const night = { startHour: 22, startMin: 15, endHour: 6, endMin: 0 };
const byMessage = {
  type: 'match-any-condition',
  conditions: [{ field: 'message', not: null, operation: 'contains', expectedValue: 'disk', key: '', order: null }],
};

describe('users', () => {
  it('come back as they were written, the role in its spelling; what an update leaves out stays', async () => {
    const { id } = await createUser('ada');
    const path = `/v2/users/${id}`;
    const written = { fullName: 'Ada Lovelace', skypeUsername: 'ada', timeZone: 'America/New_York', locale: 'en_US' };
    expect(await system.api.read(path)).toMatchObject({ username: address('ada'), role: { name: 'User' }, ...written });
    const more = { tags: ['oncall'], details: { desk: ['4'] }, role: { name: 'Admin' }, userAddress: { city: 'Rome' } };
    await patch(path, { Identifier: id, ...more });
    await patch(path, { Identifier: id, fullName: 'Ada King', userAddress: {}, role: {}, timeZone: '', locale: '' });
    const kept = { ...more, timeZone: written.timeZone };
    expect(await system.api.read(path)).toMatchObject({ ...written, ...kept, fullName: 'Ada King' });
  });

  it('are listed under the path with a slash at its end, and found by a query in the words of the data source', async () => {
    await createUser('ada');
    const found = await system.api.read<readonly Named[]>(
      `/v2/users/?limit=1&offset=0&query=username:${address('ada')}`,
    );
    expect(found).toHaveLength(1);
  });

  it('are deleted by leaving teams and rotations first, in calls that overlap', async () => {
    const users = await Promise.all(['ada', 'bob'].map(createUser));
    const members = users.map(({ id }) => ({ user: { id, username: '' }, role: 'admin' }));
    const team = await system.api.create<Named>('/v2/teams', { name: scenario.name('Ops'), description: '', members });
    const participants = users.map(({ id }) => ({ type: 'user', id, username: '' }));
    const rotations = [{ name: 'Rot', startDate: '2026-01-01T00:00:00.000Z', type: 'weekly', participants }];
    const schedule = await system.api.create<Named>('/v2/schedules', { name: scenario.name('Days'), rotations });
    for (const { id } of users) expect((await system.api.request('DELETE', `/v2/users/${id}`)).status).toBe(428);
    await patch(`/v2/schedules/${schedule.id}?identifierType=id`, { name: '', rotations: [] });
    await Promise.all(
      ['ada', 'bob'].map(async (name) => {
        const teams = await system.api.read<readonly Named[]>(`/v2/users/${address(name)}/teams`);
        expect(teams).toEqual([{ id: team.id, name: team.name }]);
        await remove(`/v2/teams/${team.id}/members/${address(name)}?teamIdentifierType=id`);
        await remove(`/v2/users/${address(name)}`);
        await isGone(`/v2/users/${address(name)}`);
      }),
    );
  });
});

describe('contacts', () => {
  it('are made, enabled, moved, disabled and deleted, also those of a user with a plus in the name', async () => {
    await createUser('a+b');
    const contacts = `/v2/users/${address('a+b')}/contacts`;
    const { id } = await system.api.create(contacts, { to: '90-123', method: 'sms' });
    const path = `${contacts}/${id}`;
    await post(`${path}/enable`, { UserIdentifier: address('a+b'), ContactIdentifier: id });
    await patch(path, { to: '90-124' });
    expect(await system.api.read(path)).toEqual({ id, method: 'sms', to: '90-124', status: { enabled: true } });
    await post(`${path}/disable`);
    expect(await system.api.read(path)).toMatchObject({ status: { enabled: false } });
    await remove(path);
    await isGone(path);
  });
});

describe('notification rules', () => {
  const restriction = { type: 'weekday-and-time-of-day', restriction: {}, restrictions: [monday] };
  const atOnce = () => ({
    contact: { method: 'email', to: address('ada') },
    sendAfter: { timeUnit: 'minutes' },
    enabled: true,
    _parent: null,
  });

  it('come back with their criteria, restriction and steps as written, a zero that was left out as a zero', async () => {
    await createUser('ada');
    const rules = `/v2/users/${address('ada')}/notification-rules`;
    const step = atOnce();
    const rule = { name: 'By day', actionType: 'create-alert', enabled: true, criteria: byMessage, repeat: {} };
    const made = await system.api.create<Named>(rules, { ...rule, timeRestriction: restriction, steps: [step] });
    const read = await system.api.read<Readonly<Record<string, unknown>>>(`${rules}/${made.id}`);
    expect(read).toMatchObject({
      name: 'By day',
      actionType: 'create-alert',
      enabled: true,
      criteria: { type: byMessage.type, conditions: [{ field: 'message', not: false, expectedValue: 'disk' }] },
      timeRestriction: { type: restriction.type, restrictions: [monday] },
      steps: [{ contact: step.contact, sendAfter: { timeAmount: 0, timeUnit: 'minutes' }, enabled: true }],
    });
    expect(read).not.toHaveProperty('repeat');
    await patch(`${rules}/${made.id}`, { ...rule, name: 'All day', timeRestriction: { type: '', restriction: {} } });
    expect(await system.api.read(`${rules}/${made.id}`)).toEqual({ ...read, name: 'All day' });
    await remove(`${rules}/${made.id}`);
    await isGone(`${rules}/${made.id}`);
  });

  it('may name a schedule of a team of the user, who is in no rotation of it', async () => {
    await createUser('ada');
    const team = await scenario.team('Ops', 'ada');
    const schedule = { name: scenario.name('Empty'), ownerTeam: { id: team.id }, timezone: 'UTC', rotations: null };
    await system.api.create('/v2/schedules', schedule);
    const rules = `/v2/users/${address('ada')}/notification-rules`;
    const { id } = await system.api.create(rules, {
      name: 'Duty',
      actionType: 'schedule-start',
      enabled: true,
      notificationTime: ['just-before', '15-minutes-ago'],
      schedules: [{ type: 'schedule', name: schedule.name }],
      timeRestriction: null,
      criteria: null,
    });
    expect(await system.api.read(`${rules}/${id}`)).toMatchObject({
      notificationTime: ['just-before', '15-minutes-ago'],
      schedules: [{ type: 'schedule', name: schedule.name }],
    });
  });
});

describe('teams', () => {
  const byName = (path: string, name: string) =>
    `${path}?identifierType=name`.replace(':name', encodeURIComponent(name));

  it('keep their members where an update leaves them out; empty members are dropped', async () => {
    const { id: userId } = await createUser('ada');
    const members = [{ user: { id: userId } }, { user: {} }];
    const { id } = await system.api.create('/v2/teams', { name: scenario.name('Ops'), description: '', members });
    await patch(`/v2/teams/${id}`, { Id: id, name: '', description: 'Night and day' });
    expect(await system.api.read(`/v2/teams/${id}`)).toEqual({
      id,
      name: scenario.name('Ops'),
      description: 'Night and day',
      members: [{ user: { id: userId, username: address('ada') }, role: 'user' }],
    });
    await patch(`/v2/teams/${id}`, { Id: id, members: [] });
    expect(await system.api.read(`/v2/teams/${id}`)).toMatchObject({ members: [] });
  });

  it('lose the escalation and the schedule that they came with, and can be deleted then', async () => {
    const name = scenario.name('Bare [ops] (1)');
    await system.api.create('/v2/teams', { name });
    const { id } = await system.api.read<Named>(byName('/v2/teams/:name', name));
    const rules = `/v2/teams/${encodeURIComponent(name)}/routing-rules`;
    for (const rule of await system.api.read<readonly Named[]>(`${rules}?teamIdentifierType=name`))
      await patch(`${rules}/${rule.id}?teamIdentifierType=name`, { notify: { type: 'none', name: '', id: '' } });
    for (const things of ['/v2/escalations', '/v2/schedules']) {
      const owned = await system.api.read<readonly Owned[]>(`${things}?expand=rotation`);
      const [made, ...others] = owned.filter(({ ownerTeam }) => ownerTeam?.name === name);
      expect(others).toEqual([]);
      await remove(`${things}/${made?.id}?identifierType=id`);
    }
    await remove(`/v2/teams/${id}?identifierType=id`);
    await isGone(`/v2/teams/${id}?identifierType=id`);
  });

  it('have routing rules that are made, changed, moved and deleted, a target by name or id', async () => {
    const team = await scenario.team('Ops');
    const schedule = await system.api.create<Named>('/v2/schedules', { name: scenario.name('Days'), rotations: null });
    const rules = `/v2/teams/${team.id}/routing-rules`;
    const notify = { type: 'schedule', name: schedule.name, id: '' };
    const rule = { name: 'Disks', order: 0, timezone: 'America/Los_Angeles', criteria: byMessage };
    const restricted = { timeRestriction: { type: 'time-of-day', restriction: night } };
    const { id } = await system.api.create(`${rules}?teamIdentifierType=id`, { ...rule, ...restricted, notify });
    const read = await system.api.read<Readonly<Record<string, unknown>>>(`${rules}/${id}`);
    expect(read).toMatchObject({ ...restricted, notify: { type: 'schedule', id: schedule.id, name: schedule.name } });
    const change = { RuleId: id, name: '', timezone: '', notify: { type: 'none', name: '', id: '' } };
    await patch(`${rules}/${id}?teamIdentifierType=id`, change);
    await post(`${rules}/${id}/change-order`, { TeamIdentifierValue: team.id });
    expect(await system.api.read(`${rules}/${id}`)).toEqual({ ...read, order: 0, notify: { type: 'none' } });
    await remove(`${rules}/${id}?teamIdentifierType=id`);
    await isGone(`${rules}/${id}?teamIdentifierType=id`);
  });
});

describe('custom roles', () => {
  it('are made, read under the path with a slash at its end, replaced and deleted', async () => {
    const name = scenario.name('Watchers');
    const rights = { grantedRights: ['alert-delete'], disallowedRights: ['profile-edit'] };
    const { id } = await system.api.create('/v2/roles/', { name, extendedRole: 'observer', ...rights });
    await system.api.expect(200, 'PUT', `/v2/roles/${id}?identifierType=id`, { name, extendedRole: 'user', ...rights });
    expect(await system.api.read(`/v2/roles/${id}`)).toEqual({ id, name, extendedRole: 'user', ...rights });
    expect(await system.api.read<readonly Named[]>('/v2/roles/')).toContainEqual({ id, name, extendedRole: 'user' });
    await remove(`/v2/roles/${encodeURIComponent(name)}?identifierType=name`);
    await isGone(`/v2/roles/${id}`);
  });
});

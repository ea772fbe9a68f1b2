import { describe, expect, it } from '@jest/globals';
import { Teams, Users } from '@tocsin/events';
import { testApp } from './testing/app-fixture.ts';

const scheduling = { service: 'scheduling' } as const;
const dataOf = (response: { body: unknown }) => (response.body as { data: unknown }).data;

describe('GET /internal/states/users.v1', () => {
  it.each(['id', 'username'])('answers with the state of a user by %s', async (index) => {
    const { user, get } = await testApp();
    const id = await user('ada@example.com');
    const value = index === 'id' ? id : 'ada@example.com';
    const response = await get(`/internal/states/users.v1?${index}=${value}`, scheduling);
    expect(response.status).toBe(200);
    const message = Users.schema.parse(dataOf(response));
    expect(message).toMatchObject({
      id,
      deleted: false,
      version: { n: 1 },
      state: { id, username: 'ada@example.com', role: 'user', contacts: [{ method: 'email', to: 'ada@example.com' }] },
    });
  });

  it('answers with the state of the user who linked an account of Telegram', async () => {
    const { directory, post, user, get } = await testApp();
    const id = await user('ada@example.com');
    const offered = await post(`/v2/users/${id}/devices`, { name: 'Telegram', kind: 'telegram' });
    const { url } = dataOf(offered) as { url: string };
    await directory.telegramDevices.link(new URL(url).searchParams.get('start') ?? '', '7001');
    const found = await get('/internal/states/users.v1?telegram=telegram:7001', { service: 'notifier' });
    expect(dataOf(found)).toMatchObject({ id, state: { username: 'ada@example.com' } });
    expect((await get('/internal/states/users.v1?telegram=telegram:7002', { service: 'notifier' })).status).toBe(404);
  });

  it('answers 404 for a user who does not exist', async () => {
    const { get } = await testApp();
    expect((await get('/internal/states/users.v1?id=unknown', scheduling)).status).toBe(404);
    expect((await get('/internal/states/users.v1?shoe=44', scheduling)).status).toBe(404);
  });

  it('is closed to a principal', async () => {
    const { user, get } = await testApp();
    const id = await user('ada@example.com');
    expect((await get(`/internal/states/users.v1?id=${id}`)).status).toBe(403);
  });
});

describe('GET /internal/states/teams.v1', () => {
  it.each(['id', 'name'])('answers with the state of a team by %s', async (index) => {
    const { user, team, get } = await testApp();
    const userId = await user('ada@example.com');
    const id = await team('Ops', [{ user: { id: userId }, role: 'admin' }]);
    const response = await get(`/internal/states/teams.v1?${index}=${index === 'id' ? id : 'Ops'}`, scheduling);
    expect(response.status).toBe(200);
    expect(Teams.schema.parse(dataOf(response))).toMatchObject({
      id,
      state: { name: 'Ops', members: [{ userId, role: 'admin' }], routingRules: [{ isDefault: true }] },
    });
  });

  it('answers 404 for a team that is not whole yet', async () => {
    const { post, get, scheduling: schedulingService } = await testApp();
    schedulingService.isUnavailable = true;
    await post('/v2/teams', { name: 'Ops' });
    expect((await get('/internal/states/teams.v1?name=Ops', scheduling)).status).toBe(404);
    expect((await get('/internal/states/teams.v1?shoe=44', scheduling)).status).toBe(404);
  });
});

describe('GET /internal/uses', () => {
  it('names the routing rules that notify an entity, except those of a given team', async () => {
    const { team, get, scheduling: schedulingService } = await testApp();
    const id = await team('Ops');
    const path = `/internal/uses?type=escalation&id=${schedulingService.defaults.get(id)?.escalationId ?? ''}`;
    expect(dataOf(await get(path, scheduling))).toEqual([
      'Routing rule [Default Routing Rule] of team [Ops] notifies it.',
    ]);
    expect(dataOf(await get(`${path}&exceptTeam=${id}`, scheduling))).toEqual([]);
  });

  it('answers 422 for another type of thing', async () => {
    const { get } = await testApp();
    const { status, body } = await get('/internal/uses?type=user&id=ada', scheduling);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { type: 'should be one of [ schedule, escalation ]' } });
  });
});

describe('POST /internal/states', () => {
  it('answers with the states of all that exist', async () => {
    const { user, team, post } = await testApp();
    const ada = await user('ada@example.com');
    await user('bob@example.com');
    const ops = await team('Ops', [{ user: { id: ada }, role: 'admin' }]);
    const states = async (topic: string, index: string, ...values: string[]) =>
      dataOf(await post(`/internal/states/${topic}`, { index, values }, scheduling));
    const users = ['ada@example.com', 'cyd@example.com', 'bob@example.com'];
    expect(await states('users.v1', 'username', ...users)).toHaveLength(2);
    expect(await states('users.v1', 'id', ada, ops)).toMatchObject([{ id: ada, deleted: false }]);
    expect(await states('teams.v1', 'name', 'Ops', 'Web')).toMatchObject([{ id: ops, state: { name: 'Ops' } }]);
    expect(await states('users.v1', 'shoe', '44')).toEqual([]);
    expect(await states('teams.v1', 'shoe', '44')).toEqual([]);
  });
});

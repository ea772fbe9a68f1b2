import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const keyOf = (teamId: string) => ({ ...accountKey, teamId });
const dataOf = (response: { body: unknown }) => (response.body as { data: Record<string, unknown> }).data;

/** The app with a team of Ada, who is an admin, and Bob. */
async function withOps() {
  const app = await testApp();
  const [ada, bob] = [await app.user('ada@example.com'), await app.user('bob@example.com')];
  const id = await app.team('Ops', [{ user: { id: ada }, role: 'admin' }, { user: { id: bob } }]);
  const version = async () => (await app.stores.teams.find({ id }))?.version.n;
  const logs = async () =>
    (dataOf(await app.get(`/v2/teams/${id}/logs?order=asc`))['logs'] as { log: string }[]).slice(1);
  return { ...app, id, ada, bob, version, logs };
}

describe('PATCH /v2/teams/{identifier}', () => {
  it('changes the fields of the body and keeps the rest', async () => {
    const { patch, get, id, ada, bob } = await withOps();
    const { status, body } = await patch(`/v2/teams/${id}`, { description: 'Keeps it running' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'Ops' } });
    expect(dataOf(await get(`/v2/teams/${id}`))).toEqual({
      id,
      name: 'Ops',
      description: 'Keeps it running',
      members: [
        { user: { id: ada, username: 'ada@example.com' }, role: 'admin' },
        { user: { id: bob, username: 'bob@example.com' }, role: 'user' },
      ],
    });
  });

  it('renames: the team is found by its new name at once and no more by the old, which is free', async () => {
    const { patch, get, post, id } = await withOps();
    expect(dataOf(await patch(`/v2/teams/${id}`, { name: 'Web' }))).toEqual({ id, name: 'Web' });
    expect((await get('/v2/teams/Web?identifierType=name')).status).toBe(200);
    expect((await get('/v2/teams/Ops?identifierType=name')).status).toBe(404);
    expect((await post('/v2/teams', { name: 'Ops' })).status).toBe(201);
    expect((await patch('/v2/teams/Web?identifierType=name', { description: 'again' })).status).toBe(200);
  });

  it('leaves the schedule and the escalation of the team as they were called', async () => {
    const { patch, scheduling, id, stores } = await withOps();
    const before = await stores.teams.find({ id });
    await patch(`/v2/teams/${id}`, { name: 'Web' });
    expect(await stores.teams.find({ id })).toMatchObject({
      defaults: before?.defaults,
      routingRules: before?.routingRules,
    });
    expect(scheduling.defaults.size).toBe(1);
  });

  it('replaces all members, by id or user name, each once', async () => {
    const { patch, get, user, id, bob } = await withOps();
    const cyd = await user('cyd@example.com');
    const members = [
      { user: { username: 'CYD@example.com' }, role: 'Admin' },
      { user: {} },
      { user: { id: bob }, role: 'admin' },
      { user: { username: 'bob@example.com', id: '' }, role: null },
    ];
    expect((await patch(`/v2/teams/${id}`, { members })).status).toBe(200);
    expect(dataOf(await get(`/v2/teams/${id}`))['members']).toEqual([
      { user: { id: cyd, username: 'cyd@example.com' }, role: 'admin' },
      { user: { id: bob, username: 'bob@example.com' }, role: 'user' },
    ]);
    await patch(`/v2/teams/${id}`, { members: [] });
    expect(dataOf(await get(`/v2/teams/${id}`))['members']).toEqual([]);
  });

  it('can empty the description', async () => {
    const { patch, get, id } = await withOps();
    await patch(`/v2/teams/${id}`, { description: 'x' });
    await patch(`/v2/teams/${id}`, { description: '' });
    expect(dataOf(await get(`/v2/teams/${id}`))).toMatchObject({ description: '' });
  });

  it('writes, publishes and logs nothing for the data of a GET, unknown fields and empty ones', async () => {
    const { patch, get, id, version, logs } = await withOps();
    const read = dataOf(await get(`/v2/teams/${id}`));
    for (const body of [read, {}, { name: '' }, { name: null, description: null, members: null }, { links: {} }]) {
      const answer = await patch(`/v2/teams/${id}`, body);
      expect([answer.status, dataOf(answer)]).toEqual([200, { id, name: 'Ops' }]);
    }
    expect(dataOf(await get(`/v2/teams/${id}`))).toEqual(read);
    expect(await version()).toBe(1);
    expect(await logs()).toEqual([]);
  });

  it('logs each difference in the history', async () => {
    const { patch, id, ada, scheduling, logs } = await withOps();
    scheduling.participations.set(id, [
      { userId: 'bob', rotation: 'Rot1', schedule: 'Web_schedule' },
      { userId: ada, rotation: 'Rot1', schedule: 'Ops_schedule' },
    ]);
    const members = [{ user: { username: 'bob@example.com' }, role: 'admin' }];
    await patch(`/v2/teams/${id}`, { name: 'Web', description: 'new', members });
    expect((await logs()).map(({ log }) => log)).toEqual([
      'Team [Ops] is renamed to [Web].',
      'Description is changed to [new].',
      'Role of user [bob@example.com] is changed to admin.',
      'User [ada@example.com] is removed. They stay in rotation [Rot1] of schedule [Ops_schedule].',
    ]);
  });

  it('answers 404 when there is no such team', async () => {
    const { patch } = await withOps();
    const { status, body } = await patch('/v2/teams/Ops', { name: 'Web' });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Team does not exist with id: Ops' });
  });

  it('answers 404 that names a member who does not exist, and changes nothing', async () => {
    const { patch, id, version } = await withOps();
    const members = [{ user: { username: 'ada@example.com' } }, { user: { username: 'unknown@example.com' } }];
    const { status, body } = await patch(`/v2/teams/${id}`, { name: 'Web', members });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'User does not exist with id or username: unknown@example.com' });
    expect(await version()).toBe(1);
  });

  it('answers 409 when the name is taken, and changes nothing', async () => {
    const { patch, team, id, version } = await withOps();
    await team('Web');
    const { status, body } = await patch(`/v2/teams/${id}`, { name: 'Web', description: 'x' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Team with name [Web] already exists.' });
    expect(await version()).toBe(1);
  });

  it('takes names and descriptions up to their limits', async () => {
    const { patch, id } = await withOps();
    expect((await patch(`/v2/teams/${id}`, { name: '🔔'.repeat(100), description: 'é'.repeat(200) })).status).toBe(200);
  });

  it.each([
    ['name', { name: ' ' }, 'Team name can not be empty.'],
    ['name', { name: 'a'.repeat(101) }, 'should be at most 100 characters'],
    ['name', { name: 7 }, 'Team name can not be empty.'],
    ['description', { description: 'a'.repeat(201) }, 'should be at most 200 characters'],
    ['members', { members: {} }, 'should be a list'],
    ['members[0].user', { members: [{}] }, 'id or username should be provided'],
    ['members[0].role', { members: [{ user: { id: 'a' }, role: 'owner' }] }, 'should be one of [ user, admin ]'],
  ])('answers 422 that names %s for %j, and changes nothing', async (field, change, sentence) => {
    const { patch, id, version } = await withOps();
    const { status, body } = await patch(`/v2/teams/${id}`, { description: 'x', ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(await version()).toBe(1);
  });

  it('lets the key of a team change its own, and answers 403 for another', async () => {
    const { patch, team, id, version } = await withOps();
    const own = await team('Web');
    expect((await patch(`/v2/teams/${own}`, { description: 'x' }, keyOf(own))).status).toBe(200);
    const { status, body } = await patch(`/v2/teams/${id}`, { description: 'x' }, keyOf(own));
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 40301 });
    expect(await version()).toBe(1);
  });
});

import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const keyOf = (teamId: string) => ({ ...accountKey, teamId });
const dataOf = (response: { body: unknown }) => (response.body as { data: Record<string, unknown> }).data;

/** The app with a team without members, and two users. */
async function withOps() {
  const app = await testApp();
  const [ada, bob] = [await app.user('ada@example.com'), await app.user('bob@example.com')];
  const id = await app.team('Ops');
  const members = async () =>
    (dataOf(await app.get(`/v2/teams/${id}`))['members'] as { user: { username: string }; role: string }[]).map(
      ({ user, role }) => `${user.username} ${role}`,
    );
  const lastLog = async () =>
    (dataOf(await app.get(`/v2/teams/${id}/logs?limit=1`))['logs'] as { log: string }[])[0]?.log;
  return { ...app, id, ada, bob, members, lastLog, path: `/v2/teams/${id}/members` };
}

describe('POST /v2/teams/{team}/members', () => {
  it('adds a user by id or by user name, as a user by default, to a team by id or by name', async () => {
    const { post, id, ada, path, members, lastLog } = await withOps();
    const { status, body } = await post(path, { user: { id: ada } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Added', data: { id, name: 'Ops' } });
    expect(await lastLog()).toBe('User [ada@example.com] is added as user.');
    const byName = { user: { username: 'Bob@Example.com', id: '' }, role: 'ADMIN' };
    expect((await post('/v2/teams/Ops/members?teamIdentifierType=Name', byName)).status).toBe(200);
    expect(await members()).toEqual(['ada@example.com user', 'bob@example.com admin']);
  });

  it('gives a member the role, at their place, and logs that once', async () => {
    const { post, ada, bob, path, members, lastLog, stores, id } = await withOps();
    for (const user of [ada, bob]) await post(path, { user: { id: user } });
    await post(path, { user: { id: ada }, role: 'admin' });
    expect(await members()).toEqual(['ada@example.com admin', 'bob@example.com user']);
    expect(await lastLog()).toBe('Role of user [ada@example.com] is changed to admin.');
    const version = (await stores.teams.find({ id }))?.version;
    expect((await post(path, { user: { username: 'ada@example.com' }, role: 'admin' })).status).toBe(200);
    expect((await stores.teams.find({ id }))?.version).toEqual(version);
  });

  it('keeps every user of many who are added at once', async () => {
    const { post, user, path, members } = await withOps();
    const names = Array.from({ length: 20 }, (_, n) => `user${n}@example.com`);
    for (const name of names) await user(name);
    await Promise.all(names.map((username) => post(path, { user: { username } })));
    expect((await members()).sort()).toEqual(names.map((name) => `${name} user`).sort());
  });

  it('takes 1000 members and answers 422 for one more, whose roles can still change', async () => {
    const { post, patch, user, id, path, members } = await withOps();
    const ids: string[] = [];
    for (let n = 0; n < 1_000; n += 1) ids.push(await user(`user${n}@example.com`));
    expect((await patch(`/v2/teams/${id}`, { members: ids.map((each) => ({ user: { id: each } })) })).status).toBe(200);
    const { status, body } = await post(path, { user: { username: 'ada@example.com' } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { members: 'should have at most 1000 items' } });
    expect((await post(path, { user: { id: ids[0] }, role: 'admin' })).status).toBe(200);
    expect(await members()).toHaveLength(1_000);
  });

  it.each([
    ['user', {}, 'id or username should be provided'],
    ['user', { user: null }, 'id or username should be provided'],
    ['user', { user: {} }, 'id or username should be provided'],
    ['user', { user: { id: '', username: '' } }, 'id or username should be provided'],
    ['user.id', { user: { id: 7 } }, 'should be a string'],
    ['user.username', { user: { username: 'a'.repeat(1_001) } }, 'should be at most 1000 characters'],
    ['role', { user: { id: 'a' }, role: 'boss' }, 'should be one of [ user, admin ]'],
  ])('answers 422 that names %s for %j', async (field, body, sentence) => {
    const { post, path, members } = await withOps();
    const answer = await post(path, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: { [field]: sentence } });
    expect(await members()).toEqual([]);
  });

  it('answers 404 that names the team or the user who does not exist', async () => {
    const { post, ada, path } = await withOps();
    const noTeam = await post('/v2/teams/Web/members?teamIdentifierType=name', { user: { id: ada } });
    expect([noTeam.status, noTeam.body]).toMatchObject([404, { message: 'Team does not exist with name: Web' }]);
    const noUser = await post(path, { user: { id: 'unknown' } });
    expect([noUser.status, noUser.body]).toMatchObject([
      404,
      { message: 'User does not exist with id or username: unknown' },
    ]);
  });

  it('answers 422 for another type of identifier', async () => {
    const { post, path, ada } = await withOps();
    const { status, body } = await post(`${path}?teamIdentifierType=tiny`, { user: { id: ada } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { teamIdentifierType: 'should be one of [ id, name ]' } });
  });

  it('lets the key of a team add to its own, and answers 403 for another', async () => {
    const { post, team, ada, path, members } = await withOps();
    const own = await team('Web');
    expect((await post(`/v2/teams/${own}/members`, { user: { id: ada } }, keyOf(own))).status).toBe(200);
    const { status, body } = await post(path, { user: { id: ada } }, keyOf(own));
    expect([status, body]).toMatchObject([403, { code: 40301 }]);
    expect(await members()).toEqual([]);
  });
});

describe('DELETE /v2/teams/{team}/members/{member}', () => {
  it('removes a member by id or by user name', async () => {
    const { post, remove, id, ada, path, members, lastLog } = await withOps();
    await post(path, { user: { id: ada } });
    await post(path, { user: { username: 'bob@example.com' } });
    const { status, body } = await remove(`${path}/${ada}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Removed', data: { id, name: 'Ops' } });
    expect(await lastLog()).toBe('User [ada@example.com] is removed.');
    expect((await remove('/v2/teams/Ops/members/BOB@example.com?teamIdentifierType=name')).status).toBe(200);
    expect(await members()).toEqual([]);
  });

  it("removes one who is in a rotation of the team's schedule, and says so in the history", async () => {
    const { post, remove, id, ada, path, scheduling, members, lastLog } = await withOps();
    await post(path, { user: { id: ada } });
    scheduling.participations.set(id, [
      { userId: ada, rotation: 'Rot1', schedule: 'Ops_schedule' },
      { userId: ada, rotation: 'Night', schedule: 'Late' },
    ]);
    expect((await remove(`${path}/${ada}`)).status).toBe(200);
    expect(await members()).toEqual([]);
    expect(await lastLog()).toBe(
      'User [ada@example.com] is removed. They stay in rotation [Rot1] of schedule [Ops_schedule], rotation [Night] of schedule [Late].',
    );
  });

  it('removes a member when scheduling can not be asked', async () => {
    const { post, remove, ada, path, scheduling, lastLog } = await withOps();
    await post(path, { user: { id: ada } });
    scheduling.isUnavailable = true;
    expect((await remove(`${path}/${ada}`)).status).toBe(200);
    expect(await lastLog()).toBe('User [ada@example.com] is removed.');
  });

  it('answers 404 that names the team, the user, or the one who is not a member', async () => {
    const { remove, ada, path } = await withOps();
    const answers = [
      await remove(`/v2/teams/Web/members/${ada}`),
      await remove(`${path}/unknown@example.com`),
      await remove(`${path}/${ada}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers.map(({ body }) => (body as { message: string }).message)).toEqual([
      'Team does not exist with id: Web',
      'User does not exist with id or username: unknown@example.com',
      'User [ada@example.com] is not a member of team [Ops].',
    ]);
  });

  it('lets the key of a team remove from its own, and answers 403 for another', async () => {
    const { post, remove, team, id, ada, path, members } = await withOps();
    await post(path, { user: { id: ada } });
    const other = await team('Web');
    const { status, body } = await remove(`${path}/${ada}`, keyOf(other));
    expect([status, body]).toMatchObject([403, { code: 40301 }]);
    expect(await members()).toEqual(['ada@example.com user']);
    expect((await remove(`${path}/${ada}`, keyOf(id))).status).toBe(200);
  });
});

describe('a user who was deleted', () => {
  it('is shown by no team, and can be added to none', async () => {
    const { post, remove, ada, path, members } = await withOps();
    await post(path, { user: { id: ada } });
    await remove(`${path}/${ada}`);
    expect((await remove(`/v2/users/${ada}`)).status).toBe(200);
    expect(await members()).toEqual([]);
    expect((await post(path, { user: { id: ada } })).status).toBe(404);
  });
});

import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const keyOf = (teamId: string) => ({ ...accountKey, teamId });
const dataOf = (response: { body: unknown }) => (response.body as { data: Record<string, unknown> }).data;
const night = { name: 'Night', rights: [{ right: 'edit-schedules', granted: true }] };

/** The app with a team, and the path of its roles. */
async function withOps() {
  const app = await testApp();
  const id = await app.team('Ops');
  const path = `/v2/teams/${id}/roles`;
  const role = async (body: object = night) => String(dataOf(await app.post(path, body))['id']);
  const lastLog = async () =>
    (dataOf(await app.get(`/v2/teams/${id}/logs?limit=1`))['logs'] as { log: string }[])[0]?.log;
  const version = async () => (await app.stores.teams.find({ id }))?.version.n;
  return { ...app, id, path, role, lastLog, version };
}

describe('POST /v2/teams/{team}/roles', () => {
  it('creates a role with its rights, each once with its last value', async () => {
    const { post, get, path, lastLog } = await withOps();
    const rights = [
      { right: 'edit-schedules', granted: 'TRUE' },
      { right: 'access-reports', granted: true },
      { right: 'edit-schedules', granted: false },
    ];
    const created = await post(`/v2/teams/Ops/roles?teamIdentifierType=name`, { name: 'Night', rights });
    const id = dataOf(created)['id'];
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Night' } });
    expect(dataOf(await get(`${path}/${String(id)}`))).toEqual({
      id,
      name: 'Night',
      rights: [
        { right: 'edit-schedules', granted: false },
        { right: 'access-reports', granted: true },
      ],
    });
    expect(await lastLog()).toBe('Role [Night] is created.');
  });

  it('answers 409 when the team has a role of that name, which another team may have too', async () => {
    const { post, path, role, team, version } = await withOps();
    await role();
    const { status, body } = await post(path, { name: 'Night' });
    expect([status, body]).toMatchObject([409, { message: 'Team role with name [Night] already exists.' }]);
    expect(await version()).toBe(2);
    const other = await team('Web');
    expect((await post(`/v2/teams/${other}/roles`, night)).status).toBe(201);
    expect((await post(path, { name: 'night' })).status).toBe(201);
  });

  it.each(['user', 'Admin'])('answers 409 for %s, which every team has', async (name) => {
    const { post, path } = await withOps();
    expect((await post(path, { name })).status).toBe(409);
  });

  it('lets one of many requests for one name in', async () => {
    const { post, get, path } = await withOps();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, night)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(dataOf(await get(path))).toHaveLength(1);
  });

  it('makes 100 roles and answers 422 for one more', async () => {
    const { post, path } = await withOps();
    for (let n = 0; n < 100; n += 1) await post(path, { name: `Role ${n}` });
    const { status, body } = await post(path, { name: 'Role 100' });
    expect([status, body]).toMatchObject([422, { message: 'Team [Ops] has 100 roles, and can not have more.' }]);
  });

  it('takes names and rights up to their limits', async () => {
    const { post, path } = await withOps();
    const rights = Array.from({ length: 100 }, (_, n) => ({ right: `${n}`.padStart(100, 'é'), granted: true }));
    expect((await post(path, { name: '🔔'.repeat(100), rights })).status).toBe(201);
  });

  it.each([
    ['name', { name: undefined }, 'Role name can not be empty.'],
    ['name', { name: '' }, 'Role name can not be empty.'],
    ['name', { name: 'a'.repeat(101) }, 'should be at most 100 characters'],
    ['rights', { rights: 'all' }, 'should be a list'],
    ['rights', { rights: Array.from({ length: 101 }, () => night.rights[0]) }, 'should have at most 100 items'],
    [
      'rights[0]',
      { rights: ['edit-schedules'] },
      'should be an object such as {"right": "edit-schedules", "granted": true}',
    ],
    ['rights[0].right', { rights: [{ right: '', granted: true }] }, 'Right can not be empty.'],
    ['rights[0].right', { rights: [{ right: 'a'.repeat(101), granted: true }] }, 'should be at most 100 characters'],
    ['rights[0].granted', { rights: [{ right: 'edit-schedules' }] }, 'should be true or false'],
    ['rights[0].granted', { rights: [{ right: 'edit-schedules', granted: 'yes' }] }, 'should be true or false'],
  ])('answers 422 that names %s for %j', async (field, change, sentence) => {
    const { post, get, path } = await withOps();
    const { status, body } = await post(path, { ...night, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(dataOf(await get(path))).toEqual([]);
  });
});

describe('GET /v2/teams/{team}/roles', () => {
  it('lists the roles by creation', async () => {
    const { get, path, role } = await withOps();
    const [first, second] = [await role(), await role({ name: 'Day', rights: null })];
    expect(dataOf(await get(path))).toEqual([
      { id: first, ...night },
      { id: second, name: 'Day', rights: [] },
    ]);
    expect((await get('/v2/teams/Ops/roles?teamIdentifierType=name')).status).toBe(200);
  });
});

describe('GET /v2/teams/{team}/roles/{identifier}', () => {
  it('finds a role by its name', async () => {
    const { get, role } = await withOps();
    const id = await role();
    const path = '/v2/teams/Ops/roles/Night?teamIdentifierType=name&identifierType=Name';
    expect(dataOf(await get(path))).toEqual({ id, ...night });
  });

  it('answers 422 for another type of identifier', async () => {
    const { get, path } = await withOps();
    const { status, body } = await get(`${path}/x?identifierType=tiny&teamIdentifierType=tiny`);
    const sentence = 'should be one of [ id, name ]';
    expect([status, body]).toMatchObject([422, { errors: { identifierType: sentence, teamIdentifierType: sentence } }]);
  });
});

describe('PATCH /v2/teams/{team}/roles/{identifier}', () => {
  it('changes the fields of the body, keeps the rest, and logs the change', async () => {
    const { patch, get, path, role, lastLog } = await withOps();
    const id = await role();
    const { status, body } = await patch(`${path}/Night?identifierType=name`, { name: 'Late' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'Late' } });
    expect(await lastLog()).toBe('Role [Night] is renamed to [Late].');
    await patch(`${path}/${id}`, { rights: [] });
    expect(await lastLog()).toBe('Rights of role [Late] are changed.');
    expect(dataOf(await get(`${path}/${id}`))).toEqual({ id, name: 'Late', rights: [] });
  });

  it('writes and logs nothing for the data of a GET and empty fields', async () => {
    const { patch, get, path, role, version } = await withOps();
    const id = await role();
    const read = dataOf(await get(`${path}/${id}`));
    for (const body of [read, {}, { name: '' }, { name: null, rights: null }])
      expect((await patch(`${path}/${id}`, body)).status).toBe(200);
    expect(dataOf(await get(`${path}/${id}`))).toEqual(read);
    expect(await version()).toBe(2);
  });

  it('answers 409 when the new name is taken', async () => {
    const { patch, path, role } = await withOps();
    const id = await role();
    await role({ name: 'Day' });
    expect((await patch(`${path}/${id}`, { name: 'Day' })).status).toBe(409);
    expect((await patch(`${path}/${id}`, { name: 'ADMIN' })).status).toBe(409);
  });

  it('answers 422 that names a bad field', async () => {
    const { patch, path, role } = await withOps();
    const id = await role();
    const { status, body } = await patch(`${path}/${id}`, { name: ' ', rights: [{}] });
    const right = 'Right can not be empty.';
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { name: 'Role name can not be empty.', 'rights[0].right': right } });
  });
});

describe('DELETE /v2/teams/{team}/roles/{identifier}', () => {
  it('deletes the role and frees its name', async () => {
    const { remove, get, path, role, lastLog } = await withOps();
    const id = await role();
    const { status, body } = await remove(`${path}/Night?identifierType=name`);
    expect([status, body]).toMatchObject([200, { result: 'Deleted' }]);
    expect(await lastLog()).toBe('Role [Night] is deleted.');
    expect((await get(`${path}/${id}`)).status).toBe(404);
    expect(await role()).not.toBe(id);
  });
});

describe('roles of a team', () => {
  it('are 404 that names the team or the role which does not exist', async () => {
    const { get, post, patch, remove, path } = await withOps();
    const noTeam = '/v2/teams/Web/roles';
    const answers = [
      await get(noTeam),
      await post(noTeam, night),
      await get(`${noTeam}/x`),
      await get(`${path}/x`),
      await patch(`${path}/x?identifierType=name`, { name: 'y' }),
      await remove(`${path}/x`),
    ];
    const [team, role] = ['Team does not exist with id: Web', 'Team role does not exist with id: x'];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(answers.map(({ body }) => (body as { message: string }).message)).toEqual([
      ...[team, team, team],
      ...[role, 'Team role does not exist with name: x', role],
    ]);
  });

  it('are read and written by the key of their team, and 403 for that of another', async () => {
    const { get, post, patch, remove, team, id, path, role, version } = await withOps();
    const other = keyOf(await team('Web'));
    const mine = await role();
    const answers = [
      await get(path, other),
      await post(path, { name: 'x' }, other),
      await get(`${path}/${mine}`, other),
      await patch(`${path}/${mine}`, { name: 'x' }, other),
      await remove(`${path}/${mine}`, other),
    ];
    expect(answers.map(({ status, body }) => [status, (body as { code?: number }).code])).toEqual(
      answers.map(() => [403, 40301]),
    );
    expect(await version()).toBe(2);
    expect((await patch(`${path}/${mine}`, { name: 'x' }, keyOf(id))).status).toBe(200);
    expect((await remove(`${path}/${mine}`, keyOf(id))).status).toBe(200);
  });
});

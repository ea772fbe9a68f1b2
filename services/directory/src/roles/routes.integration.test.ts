import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const watch = {
  name: 'Night watch',
  extendedRole: 'observer',
  grantedRights: ['who-is-on-call-show-all'],
  disallowedRights: ['profile-edit'],
};

async function created({ post }: TestApp, body: object = watch): Promise<string> {
  const answer = await post('/v2/roles', body);
  expect(answer.status).toBe(201);
  return (answer.body as { data: { id: string } }).data.id;
}

describe('POST /v2/roles', () => {
  it('answers 201 with id and name', async () => {
    const { post } = await testApp();
    const { status, body } = await post('/v2/roles', watch);
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Night watch' } });
  });

  it('answers 409 when the name is taken, by a fixed role in any case too', async () => {
    const app = await testApp();
    await created(app);
    const { status, body } = await app.post('/v2/roles', watch);
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Role with name [Night watch] already exists.' });
    expect((await app.post('/v2/roles', { ...watch, name: ' Owner' })).status).toBe(409);
    expect((await app.post('/v2/roles', { ...watch, name: 'night watch' })).status).toBe(201);
  });

  it('lets one of 50 requests for one name in', async () => {
    const { post } = await testApp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/v2/roles', watch)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it.each([
    ['name', { name: undefined }, 'Role name can not be empty.'],
    ['name', { name: '' }, 'Role name can not be empty.'],
    ['extendedRole', { extendedRole: 'king' }, 'should be one of [ user, observer, stakeholder ]'],
    ['grantedRights', { grantedRights: {} }, 'should be a list'],
    ['disallowedRights[0]', { disallowedRights: [7] }, 'Right can not be empty.'],
    [
      'disallowedRights',
      { disallowedRights: watch.grantedRights },
      'should not hold [who-is-on-call-show-all], which is granted',
    ],
  ])('answers 422 that names %s, and creates nothing', async (field, change, sentence) => {
    const { post, get } = await testApp();
    const { status, body } = await post('/v2/roles', { ...watch, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect((await get('/v2/roles')).body).toMatchObject({ data: [] });
  });
});

describe('PUT /v2/imports/roles/{identifier}', () => {
  const id = '4f8fad5b-d9cb-469f-a165-70867728950e';
  const path = `/v2/imports/roles/${id}`;

  it('creates a role with its id, replaces it, and says where nothing changed', async () => {
    const { put, get } = await testApp();
    const results = [];
    for (const body of [watch, watch, { ...watch, grantedRights: [] }]) results.push((await put(path, body)).body);
    expect(results).toMatchObject(['Created', 'Unchanged', 'Updated'].map((result) => ({ result, data: { id } })));
    expect((await get(`/v2/roles/${id}`)).body).toMatchObject({ data: { ...watch, id, grantedRights: [] } });
  });

  it('of 20 requests at once creates one role', async () => {
    const { put } = await testApp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(path, watch)));
    const results = answers.map(({ body }) => (body as { result: string }).result);
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
  });

  it('creates a role again that was deleted', async () => {
    const { clock, put, get, remove } = await testApp();
    await put(path, watch);
    await remove(`/v2/roles/${id}`);
    clock.advance(1);
    expect((await put(path, watch)).body).toMatchObject({ result: 'Created' });
    expect((await get(`/v2/roles/${id}`)).status).toBe(200);
  });

  it('answers 409 when another role has the name, and 422 for an id that is none', async () => {
    const app = await testApp();
    await created(app);
    expect(await app.put(path, watch)).toMatchObject({
      status: 409,
      body: { message: 'Role with name [Night watch] already exists.' },
    });
    for (const other of ['watch', id.toUpperCase()])
      expect(await app.put(`/v2/imports/roles/${other}`, watch)).toMatchObject({
        status: 422,
        body: { errors: { identifier: 'should be a UUID in lower case' } },
      });
  });
});

describe('GET /v2/roles and /v2/roles/{identifier}', () => {
  it('answers with all that was written, by id and by name', async () => {
    const app = await testApp();
    const id = await created(app);
    const { status, body } = await app.get(`/v2/roles/${id}`);
    expect(status).toBe(200);
    expect((body as { data: unknown }).data).toEqual({ id, ...watch });
    expect((await app.get('/v2/roles/Night%20watch?identifierType=NAME')).body).toMatchObject({ data: { id } });
  });

  it('sets defaults for missing fields', async () => {
    const app = await testApp();
    const id = await created(app, { name: 'Guest', extendedRole: null, grantedRights: null, unknown: 1 });
    expect((await app.get(`/v2/roles/${id}`)).body).toMatchObject({
      data: { id, name: 'Guest', extendedRole: 'user', grantedRights: [], disallowedRights: [] },
    });
  });

  it('lists the custom roles alone, by creation', async () => {
    const app = await testApp();
    const first = await created(app);
    app.clock.advance(1);
    const second = await created(app, { name: 'Guest' });
    const { body } = await app.get('/v2/roles/');
    expect((body as { data: unknown }).data).toEqual([
      { id: first, name: 'Night watch', extendedRole: 'observer' },
      { id: second, name: 'Guest', extendedRole: 'user' },
    ]);
  });

  it('answers 404 when there is no such role, and 422 for an unknown kind of identifier', async () => {
    const { get } = await testApp();
    const { status, body } = await get('/v2/roles/unknown');
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Role does not exist with id: unknown' });
    expect((await get('/v2/roles/owner?identifierType=name')).status).toBe(404);
    expect((await get('/v2/roles/unknown?identifierType=alias')).status).toBe(422);
  });
});

describe('PUT /v2/roles/{identifier}', () => {
  it('replaces the role, whose users have it by its new name at once', async () => {
    const app = await testApp();
    const id = await created(app);
    await app.user('ada@example.com', 'Night watch');
    const { status, body } = await app.put('/v2/roles/Night%20watch?identifierType=name', { name: 'Watch' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'Watch' } });
    expect((await app.get(`/v2/roles/${id}`)).body).toMatchObject({
      data: { id, name: 'Watch', extendedRole: 'user', grantedRights: [], disallowedRights: [] },
    });
    expect((await app.get('/v2/users/ada@example.com')).body).toMatchObject({ data: { role: { id, name: 'Watch' } } });
  });

  it('changes nothing with the data of a GET', async () => {
    const app = await testApp();
    const id = await created(app);
    const before = (await app.get(`/v2/roles/${id}`)).body as { data: object };
    expect((await app.put(`/v2/roles/${id}`, before.data)).status).toBe(200);
    expect((await app.get(`/v2/roles/${id}`)).body).toMatchObject({ data: before.data });
  });

  it('answers 404, 409 and 422, and changes nothing', async () => {
    const app = await testApp();
    const [id] = [await created(app), await created(app, { name: 'Guest' })];
    expect((await app.put('/v2/roles/unknown', watch)).status).toBe(404);
    expect((await app.put(`/v2/roles/${id}`, { ...watch, name: 'Guest' })).status).toBe(409);
    expect((await app.put(`/v2/roles/${id}`, { ...watch, name: 'USER' })).status).toBe(409);
    expect((await app.put(`/v2/roles/${id}`, { ...watch, name: null })).status).toBe(422);
    expect((await app.get(`/v2/roles/${id}`)).body).toMatchObject({ data: { id, ...watch } });
  });
});

describe('DELETE /v2/roles/{identifier}', () => {
  it('answers 428 that names who has the role, and Deleted once no user has', async () => {
    const app = await testApp();
    const id = await created(app);
    for (const name of ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay']) await app.user(`${name}@example.com`, 'Night watch');
    const { status, body } = await app.remove(`/v2/roles/${id}`);
    expect(status).toBe(428);
    expect(body).toMatchObject({
      message: expect.stringMatching(
        /^The role is still in use\. These users have it: ada@example\.com, .* and 1 more\.$/,
      ),
    });
    for (const name of ['ada', 'bob', 'cyd', 'dan', 'eve']) await app.remove(`/v2/users/${name}@example.com`);
    expect((await app.patch('/v2/users/fay@example.com', { role: { name: 'user' } })).status).toBe(200);
    expect((await app.remove('/v2/roles/Night%20watch?identifierType=name')).body).toMatchObject({ result: 'Deleted' });
    expect((await app.get(`/v2/roles/${id}`)).status).toBe(404);
    expect((await app.remove(`/v2/roles/${id}`)).status).toBe(404);
  });
});

describe('a key', () => {
  it.each([
    ['of a team', { teamId: 'team' }],
    ['without configuration access', { mayConfigure: false }],
  ])('%s has no business with roles', async (_, rights) => {
    const app = await testApp();
    const key = { ...accountKey, ...rights };
    const answers = [
      await app.get('/v2/roles', key),
      await app.get('/v2/roles/unknown', key),
      await app.post('/v2/roles', watch, key),
      await app.put('/v2/roles/unknown', watch, key),
      await app.remove('/v2/roles/unknown', key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });
});

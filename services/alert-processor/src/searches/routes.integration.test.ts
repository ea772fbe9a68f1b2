import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { signedIn } from '@tocsin/testkit';
import { setUp, team } from '../testing/component-fixture.ts';
import { close, byAlias, create } from '../testing/commands-samples.ts';

const PATH = '/v2/alerts/saved-searches';
const OWNER = { username: 'ada@example.com' };
const body = (name: string, more: object = {}) => ({ name, query: 'status:open', owner: OWNER, ...more });

async function withPeople() {
  const service = await setUp();
  service.replicas.user.put('ada', { id: 'ada', username: 'ada@example.com' } as never);
  service.replicas.team.put('ops', team('ops', 'Ops'));
  service.replicas.team.put('red', team('red', 'Red'));
  return service;
}

describe('a signed-in user (K12)', () => {
  const ada = signedIn();
  const bob = signedIn({ ops: 'admin' }, { userId: 'bob' });
  const root = signedIn({}, { role: 'admin', userId: 'root' });

  it('creates searches of their own, and gives them to no other user', async () => {
    const service = await withPeople();
    service.replicas.user.put('bob', { id: 'bob', username: 'bob@example.com' } as never);
    expect((await service.send('post', PATH, body('Mine'), ada)).status).toBe(201);
    expect((await service.send('post', PATH, body('For Ada'), bob)).status).toBe(403);
    const forNone = body('For none', { owner: { username: 'ghost@example.com' } });
    expect((await service.send('post', PATH, forNone, bob)).status).toBe(403);
    const given = { owner: { username: 'bob@example.com' } };
    expect((await service.send('patch', `${PATH}/search-1`, given, ada)).status).toBe(403);
    expect((await service.send('patch', `${PATH}/search-1`, given, root)).status).toBe(200);
  });

  it('reads those of others, and changes and deletes none of them, with any teams', async () => {
    const { get, send } = await withPeople();
    await send('post', PATH, body('Open', { teams: [{ name: 'Ops' }] }));
    const path = `${PATH}/search-1`;
    const message = 'Only the owner of the saved search, or an admin of the account, can change it.';
    expect(await send('patch', path, { query: 'status:closed' }, bob)).toMatchObject({
      status: 403,
      body: { message },
    });
    expect((await send('delete', path, undefined, bob)).status).toBe(403);
    expect((await send('delete', '/v2/users/saved-searches/search-1', undefined, bob)).status).toBe(403);
    expect((await get(path, bob)).body).toMatchObject({ data: { query: 'status:open', owner: { id: 'ada' } } });
    expect((await send('delete', path, undefined, ada)).status).toBe(200);
  });

  it.each(['patch', 'delete'] as const)('does not %s one that is given to another user meanwhile', async (method) => {
    const { send, savedSearches } = await withPeople();
    await send('post', PATH, body('Mine'), ada);
    const find = savedSearches.find.bind(savedSearches);
    savedSearches.find = async (reference) => {
      const found = await find(reference);
      savedSearches.find = find;
      await savedSearches.change('search-1', { ownerId: 'bob' });
      return found;
    };
    const sent = method === 'patch' ? { query: 'status:closed' } : undefined;
    expect((await send(method, `${PATH}/search-1`, sent, ada)).status).toBe(403);
    const present = await savedSearches.find({ type: 'id', value: 'search-1' });
    expect(present).toMatchObject({ ownerId: 'bob', query: 'status:open' });
  });
});

describe('POST /v2/alerts/saved-searches', () => {
  it('answers 201 with id and name, and GET returns what was written', async () => {
    const { send, get } = await withPeople();
    const teams = [{ name: 'Ops' }, { id: 'red' }, { id: 'ops' }];
    const created = await send('post', PATH, body('Open', { teams, description: 'What is open' }));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ result: 'Created', data: { id: 'search-1', name: 'Open' } });
    const wanted = {
      id: 'search-1',
      name: 'Open',
      query: 'status:open',
      description: 'What is open',
      owner: { id: 'ada' },
      teams: [{ id: 'ops' }, { id: 'red' }],
      createdAt: '2026-01-05T08:00:01Z',
      updatedAt: '2026-01-05T08:00:01Z',
    };
    expect((await get(`${PATH}/search-1`)).body).toMatchObject({ data: wanted });
    expect((await get(`${PATH}/Open?identifierType=NAME`)).body).toMatchObject({ data: wanted });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['query', { query: '' }],
    ['query', { query: 'x'.repeat(1_001) }],
    ['query', { query: 'status:ajar' }],
    ['owner', { owner: undefined }],
    ['owner', { owner: {} }],
    ['description', { description: 'x'.repeat(15_001) }],
    ['teams', { teams: Array.from({ length: 21 }, () => ({ id: 'ops' })) }],
    ['teams', { teams: 'ops' }],
  ])('answers 422 that names %s to %j', async (field, wrong) => {
    const { send, get } = await withPeople();
    const response = await send('post', PATH, body('Open', wrong));
    expect(response.status).toBe(422);
    expect(Object.keys((response.body as { errors: object }).errors).join()).toContain(field);
    expect((await get(PATH)).body).toMatchObject({ data: [] });
  });

  it.each(['__proto__', 'constructor', 'toString'])('accepts the name %s like any other', async (name) => {
    const { send, get } = await withPeople();
    const read = () => get(`${PATH}/${name}?identifierType=name`);
    expect((await read()).status).toBe(404);
    expect((await send('post', PATH, body(name))).status).toBe(201);
    expect((await read()).body).toMatchObject({ data: { name } });
  });

  it('accepts the longest name, query, description and list of teams', async () => {
    const { send } = await withPeople();
    const longest = {
      query: 'x'.repeat(1_000),
      description: 'x'.repeat(15_000),
      teams: Array.from({ length: 20 }, () => ({ id: 'ops' })),
    };
    expect((await send('post', PATH, body('x'.repeat(100), longest))).status).toBe(201);
  });

  it('answers 409 to a name that is taken, 404 to an unknown owner or team, 503 while one can not be looked up', async () => {
    const { send, replicas } = await withPeople();
    await send('post', PATH, body('Open'));
    const taken = await send('post', PATH, body('Open'));
    expect(taken.status).toBe(409);
    expect(taken.body).toMatchObject({ message: 'Saved search with name [Open] already exists.' });
    const unknown = await send('post', PATH, body('Other', { owner: { username: 'missing@example.com' } }));
    expect(unknown.body).toMatchObject({ message: 'User does not exist with username: missing@example.com' });
    expect((await send('post', PATH, body('Other', { teams: [{ id: 'none' }] }))).status).toBe(404);
    replicas.team.refuseWith(new UnavailableError('unavailable'));
    expect((await send('post', PATH, body('Other', { teams: [{ id: 'none' }] }))).status).toBe(503);
  });
});

describe('a saved search', () => {
  it('is listed by creation, also under /v2/users', async () => {
    const { send, get } = await withPeople();
    for (const name of ['b', 'a']) await send('post', PATH, body(name));
    const data = [
      { id: 'search-1', name: 'b' },
      { id: 'search-2', name: 'a' },
    ];
    expect((await get(PATH)).body).toMatchObject({ data });
    expect((await get('/v2/users/saved-searches')).body).toMatchObject({ data });
    expect((await get('/v2/users/saved-searches/a?identifierType=name')).body).toMatchObject({
      data: { query: 'status:open' },
    });
  });

  it('changes the given fields by PATCH, and keeps the rest', async () => {
    const { send, get } = await withPeople();
    await send('post', PATH, body('Open', { description: 'd', teams: [{ id: 'ops' }] }));
    await send('post', PATH, body('Other'));
    const changed = await send('patch', `${PATH}/Open?identifierType=name`, { name: 'Closed', query: 'status:closed' });
    expect(changed.body).toMatchObject({ result: 'Updated', data: { id: 'search-1', name: 'Closed' } });
    await send('patch', `${PATH}/search-1`, { name: '', description: null, teams: [], owner: { id: 'ada' } });
    expect((await get(`${PATH}/search-1`)).body).toMatchObject({
      data: { name: 'Closed', query: 'status:closed', description: 'd', teams: [], owner: { id: 'ada' } },
    });
    expect((await send('patch', `${PATH}/search-1`, { name: 'Other' })).status).toBe(409);
    expect((await send('patch', `${PATH}/search-1`, { query: '(' })).status).toBe(422);
    expect((await send('patch', `${PATH}/search-1`, { owner: { id: 'none' } })).status).toBe(404);
    expect((await send('patch', `${PATH}/none`, {})).status).toBe(404);
  });

  it.each([PATH, '/v2/users/saved-searches'])('is gone after DELETE %s', async (path) => {
    const { send, get } = await withPeople();
    await send('post', PATH, body('Open'));
    expect((await send('delete', `${path}/Open?identifierType=name`)).body).toMatchObject({ result: 'Deleted' });
    const missing = await get(`${PATH}/search-1`);
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({ message: 'Saved search does not exist with id: search-1' });
    expect((await send('delete', `${path}/search-1`)).status).toBe(404);
    expect((await get(`${path}/x?identifierType=tiny`)).status).toBe(422);
  });

  it('is one of 1000 at most that the keys of a team may save, which they may change', async () => {
    const { send } = await withPeople();
    const red = { teamId: 'red' };
    for (let made = 0; made < 1_000; made += 1) await send('post', PATH, body(`Flood ${made}`), red);
    const refused = await send('post', PATH, body('One more'), red);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ message: 'A team has at most 1000 saved searches.' });
    expect((await send('patch', `${PATH}/search-1`, { query: 'status:closed' }, red)).status).toBe(200);
    expect((await send('post', PATH, body('Of another'), { teamId: 'ops' })).status).toBe(201);
    expect((await send('post', PATH, body('Of the account'))).status).toBe(201);
    await send('delete', `${PATH}/search-1`, undefined, red);
    expect((await send('post', PATH, body('One more'), red)).status).toBe(201);
  });

  it('is found by the key of a team that it names, and by no other team', async () => {
    const { send, get } = await withPeople();
    const [red, ops] = [{ teamId: 'red' }, { teamId: 'ops' }];
    await send('post', PATH, body('All'));
    await send('post', PATH, body('Own', { teams: [{ id: 'ops' }, { id: 'red' }] }));
    expect((await get(`${PATH}/Own?identifierType=name`)).body).toMatchObject({
      data: { teams: [{ id: 'ops' }, { id: 'red' }] },
    });
    for (const principal of [red, ops]) {
      expect((await get(PATH, principal)).body).toMatchObject({ data: [{ name: 'Own' }] });
      expect((await get(`${PATH}/search-1`, principal)).status).toBe(404);
      expect((await send('patch', `${PATH}/search-1`, { name: 'Mine' }, principal)).status).toBe(404);
      expect((await send('delete', `${PATH}/search-1`, undefined, principal)).status).toBe(404);
    }
    expect((await get('/v2/alerts?searchIdentifier=search-1', red)).status).toBe(404);
  });
});

describe('a saved search that the key of a team writes (K9)', () => {
  it('is shared with no other team, but keeps those that it has already', async () => {
    const { send } = await withPeople();
    const own = `${PATH}/Own?identifierType=name`;
    const red = { teamId: 'red' };
    const shared = { teams: [{ id: 'ops' }, { id: 'red' }] };
    expect((await send('post', PATH, body('Own', shared), red)).status).toBe(403);
    expect((await send('post', PATH, body('Own'), red)).status).toBe(201);
    expect((await send('patch', own, shared, red)).status).toBe(403);
    await send('patch', own, shared);
    expect((await send('patch', own, { ...shared, description: 'own' }, red)).status).toBe(200);
  });
});

describe('searchIdentifier', () => {
  it('finds and counts by a saved search, by id or name, on every page', async () => {
    const { send, get, apply } = await withPeople();
    await apply(create('a'), create('b'), create('old'), close(byAlias('old')));
    await send('post', PATH, body('Open'));
    const first = await get('/v2/alerts?searchIdentifier=Open&searchIdentifierType=Name&limit=1&sort=alias&order=asc');
    expect(first.body).toMatchObject({ data: [{ alias: 'a' }] });
    const { next } = (first.body as { paging: { next: string } }).paging;
    expect(next).toContain('searchIdentifier=Open&searchIdentifierType=name');
    expect((await get(next.replace('https://alerts.example.com', ''))).body).toMatchObject({ data: [{ alias: 'b' }] });
    const count = async (query: string) => (await get(`/v2/alerts/count?${query}`)).body as { data: { count: number } };
    expect(await count('searchIdentifier=search-1')).toMatchObject({ data: { count: 2 } });
    expect(await count('searchIdentifier=none&query=status:closed')).toMatchObject({ data: { count: 1 } });
    expect(await count('searchIdentifierType=name')).toMatchObject({ data: { count: 3 } });
  });

  it.each(['/v2/alerts', '/v2/alerts/count'])('answers 404 to an unknown one: %s', async (path) => {
    const response = await (await setUp()).get(`${path}?searchIdentifier=none`);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ message: 'Saved search does not exist with id: none' });
  });
});

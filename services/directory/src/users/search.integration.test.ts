import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

interface List {
  readonly totalCount: number;
  readonly data: readonly { readonly username: string }[];
  readonly paging: Readonly<Record<string, string>>;
}

async function withThree() {
  const app = await testApp();
  const create = (name: string, changes: object) =>
    app.post('/v2/users', { username: `${name}@example.com`, fullName: name, role: { name: 'user' }, ...changes });
  await create('ada', { fullName: 'Ada Lovelace', role: { name: 'Owner' }, locale: 'en_GB' });
  await create('bob', { userAddress: { city: 'Rome' }, timezone: 'Asia/Tokyo' });
  await create('cyd', { locale: 'en_GB', userAddress: { country: 'Rome' } });
  const list = async (query: string) => (await app.get(`/v2/users?${query}`)).body as List;
  const names = async (query: string) =>
    (await list(`query=${encodeURIComponent(query)}`)).data.map(({ username }) => username.split('@')[0]);
  return { ...app, list, names };
}

describe('GET /v2/users?query=', () => {
  it.each([
    ['username:BOB@example.com', ['bob']],
    ['fullName:"ada lovelace"', ['ada']],
    ['fullName:ada*', ['ada']],
    ['role:owner', ['ada']],
    ['locale:en_GB', ['ada', 'cyd']],
    ['timezone:Asia/Tokyo', ['bob']],
    ['userAddress:rome', ['bob', 'cyd']],
    ['blocked:false', ['ada', 'bob', 'cyd']],
    ['verified:TRUE', []],
    ['createdAt:01-01-2026', ['ada', 'bob', 'cyd']],
    ['createdAt > 2026-01-01T00:00:00Z', []],
    ['locale:en_GB AND userAddress:Rome', ['cyd']],
    ['username:ada', []],
    ['fullName:lovelace', []],
    ['fullName:"ada*"', []],
    ['locale:en', []],
    ['userAddress:"rome it"', []],
    ['createdAt<01-01-2026', []],
  ])('finds by %s', async (query, expected) => {
    const { names } = await withThree();
    expect(await names(query)).toEqual(expected);
  });

  it('counts who is found, and keeps the query in the links of the page', async () => {
    const { list } = await withThree();
    const query = new URLSearchParams({ query: 'locale:"en_GB" role:us*', limit: '1' });
    expect(await list(query.toString())).toMatchObject({ totalCount: 1, data: [{ username: 'cyd@example.com' }] });
    const first = await list('query=locale:en_GB&limit=1&order=desc');
    expect(first.totalCount).toBe(2);
    const next = new URL(first.paging['next'] ?? '');
    expect(next.searchParams.get('query')).toBe('locale:en_GB');
    expect(await list(next.search.slice(1))).toMatchObject({ data: [{ username: 'ada@example.com' }] });
  });

  it('finds by the new name of a role at once', async () => {
    const { names, post, put, user } = await withThree();
    const created = await post('/v2/roles', { name: 'Watch' });
    await user('dan@example.com', 'Watch');
    const { id } = (created.body as { data: { id: string } }).data;
    await put(`/v2/roles/${id}`, { name: 'Night watch' });
    expect([await names('role:watch'), await names('role:"night watch"')]).toEqual([[], ['dan']]);
  });

  it.each([
    ['age:7', /^has the unknown field \[age\]; known are \[ username, .*, createdAt \]$/],
    ['lovelace', /^should be pairs such as role:admin, which character 1 begins no$/],
    ['locale:en OR locale:de', /which character 10 begins no$/],
    ['blocked:no', /^needs true or false for blocked$/],
    ['createdAt:soon', /^needs a time such as/],
    ['locale<de', /^can compare createdAt alone by <$/],
    [`fullName:${'a'.repeat(992)}`, /^should be at most 1000 characters$/],
  ])('answers 422 that names query for %s', async (query, sentence) => {
    const { get } = await testApp();
    const { status, body } = await get(`/v2/users?query=${encodeURIComponent(query)}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { query: expect.stringMatching(sentence) } });
  });
});

describe('GET /v2/users/{identifier}/teams', () => {
  it('answers the id and the name of each team, by id and by user name', async () => {
    const { user, team, get } = await testApp();
    const id = await user('ada@example.com');
    expect((await get(`/v2/users/${id}/teams`)).body).toMatchObject({ data: [] });
    const ops = await team('Ops', [{ user: { id } }]);
    await team('Web');
    expect((await get('/v2/users/ADA@example.com/teams')).body).toMatchObject({ data: [{ id: ops, name: 'Ops' }] });
    expect((await get(`/v2/users/${id}/teams`)).status).toBe(200);
  });

  it('shows a key of a team no other team', async () => {
    const { user, team, get } = await testApp();
    const id = await user('ada@example.com');
    const [ops] = [await team('Ops', [{ user: { id } }]), await team('Web', [{ user: { id } }])];
    const { body } = await get(`/v2/users/${id}/teams`, { ...accountKey, teamId: ops });
    expect((body as { data: unknown }).data).toEqual([{ id: ops, name: 'Ops' }]);
  });

  it('answers 404 when there is no such user', async () => {
    const { get } = await testApp();
    expect((await get('/v2/users/unknown@example.com/teams')).status).toBe(404);
  });
});

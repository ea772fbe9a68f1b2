import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

const ada = {
  fullName: 'Ada Lovelace',
  role: { name: 'User' },
  skypeUsername: 'ada.skype',
  userAddress: { country: 'GB', state: 'London', city: 'London', line: 'St James Square 12', zipCode: 'SW1Y' },
  tags: ['night', 'database'],
  details: { badge: ['7', '8'] },
  timezone: 'Europe/London',
  locale: 'en_GB',
  invitationDisabled: true,
};

/** A user called `name` with everything that a body can say; the path of the user and their address. */
async function created(name: string, changes: Readonly<Record<string, unknown>> = {}) {
  const username = system.scenario().address(name);
  const data = await system.api.create<{ id: string; name: string }>('/v2/users', { ...ada, username, ...changes });
  return { ...data, username, path: `/v2/users/${data.id}` };
}

describe('users (part 3, 4.1)', () => {
  it('create-user answers 201 Created with id and name, and invites by mail', async () => {
    const username = system.scenario().address('ada');
    const body = { ...ada, username, invitationDisabled: false };
    const { body: answer } = await system.api.expect(201, 'POST', '/v2/users', body);
    expect(answer).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: username } });
    await system.mailed(username, /invite/i);
    expect(await system.api.read(`/v2/users/${username}`)).toMatchObject({ verified: true });
    expect((await system.api.request('POST', '/v2/users', body)).status).toBe(409);
    const refused = await system.api.request('POST', '/v2/users', { username: 'unknown' });
    expect(refused).toMatchObject({ status: 422, body: { errors: { username: expect.any(String) } } });
  });

  it('get-user answers every field, by id and by user name, with contacts on demand', async () => {
    const { id, username, path } = await created('ada');
    const { body } = await system.api.expect(200, 'GET', `${path}?expand=contact`);
    const { fullName, skypeUsername, userAddress, tags, details, timezone, locale, role } = ada;
    expect(body).toMatchObject({
      expandable: ['contact'],
      data: {
        fullName,
        skypeUsername,
        userAddress,
        tags,
        details,
        locale,
        id,
        username,
        timeZone: timezone,
        blocked: false,
        verified: false,
        createdAt: expect.any(String),
        role: { id: expect.any(String), name: role.name },
        userContacts: [{ to: username, id: expect.any(String), contactMethod: 'email', enabled: true }],
      },
    });
    const byName = await system.api.read<Record<string, unknown>>(`/v2/users/${username}`);
    expect(byName).not.toHaveProperty('userContacts');
    expect(byName).toMatchObject({ id });
    expect((await system.api.request('GET', '/v2/users/unknown@example.com')).status).toBe(404);
  });

  it('update-user changes what is sent and nothing else', async () => {
    const { path } = await created('ada');
    const before = await system.api.read<Record<string, unknown>>(path);
    const changes = { fullName: 'Ada King', tags: ['day'], details: {}, timeZone: 'Asia/Kathmandu', locale: 'en_US' };
    expect((await system.api.expect(200, 'PATCH', path, changes)).body).toMatchObject({ result: 'Updated' });
    const after = await system.api.read<Record<string, unknown>>(path);
    expect(after).toEqual({ ...before, ...changes });
    await system.api.expect(200, 'PATCH', path, after);
    expect(await system.api.read(path)).toEqual(after);
    expect((await system.api.request('PATCH', path, { timezone: 'Mars/Olympus' })).status).toBe(422);
    expect((await system.api.request('PATCH', path, { role: { name: 'No such role' } })).status).toBe(404);
  });

  it('delete-user answers Deleted, and 428 while a team has the user', async () => {
    const { path, username } = await created('ada');
    const team = await system.api.create('/v2/teams', { name: `Of ${username}`, members: [{ user: { username } }] });
    expect((await system.api.request('DELETE', path)).status).toBe(428);
    await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}`);
    expect((await system.api.expect(200, 'DELETE', path)).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', path)).status).toBe(404);
  });

  it('list-users pages, sorts and searches', async () => {
    const mark = `m${Date.now()}`;
    for (const name of ['cyd', 'ada', 'bob']) await created(name, { fullName: `${mark} ${name}`, locale: 'fr_CA' });
    const list = async (query: string) => {
      const { body } = await system.api.expect(200, 'GET', `/v2/users?${query}`);
      return body as { totalCount: number; data: { fullName: string }[]; paging: Record<string, string> };
    };
    const found = await list('query=locale:fr_CA&sort=fullName&order=DESC&limit=2');
    expect(found.totalCount).toBe(3);
    expect(found.data.map(({ fullName }) => fullName)).toEqual([`${mark} cyd`, `${mark} bob`]);
    const { pathname, search } = new URL(found.paging['next'] ?? '');
    const next = await system.api.read<{ fullName: string }[]>(pathname + search);
    expect(next.map(({ fullName }) => fullName)).toEqual([`${mark} ada`]);
    const quoted = await list(`query=${encodeURIComponent(`fullName:"${mark} ada" locale:fr_CA blocked:false`)}`);
    expect(quoted.totalCount).toBe(1);
    expect((await system.api.request('GET', '/v2/users?query=shoeSize:7')).status).toBe(422);
    expect((await system.api.request('GET', '/v2/users?limit=501')).status).toBe(422);
  });

  it('list-user-teams answers id and name of each team', async () => {
    const { path, username } = await created('ada');
    expect(await system.api.read(`${path}/teams`)).toEqual([]);
    const name = `Of ${username}`;
    const { id } = await system.api.create('/v2/teams', { name, members: [{ user: { username } }] });
    expect(await system.api.read(`/v2/users/${username}/teams`)).toEqual([{ id, name }]);
  });

  it('keeps the last owner', async () => {
    const { totalCount } = (await system.api.expect(200, 'GET', '/v2/users?query=role:owner')).body;
    expect(totalCount).toBe(0);
    const { path } = await created('owner', { role: { name: 'owner' } });
    expect((await system.api.request('PATCH', path, { role: { name: 'user' } })).status).toBe(422);
    expect((await system.api.request('DELETE', path)).status).toBe(422);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let team: { readonly id: string; readonly name: string };

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  const members = [{ user: { username: scenario.address('ada') }, role: 'admin' }, { user: {} }];
  team = await system.api.create('/v2/teams', { name: scenario.name('Ops'), description: 'Keeps it running', members });
});

const byName = (suffix: string, type = 'identifierType') =>
  `/v2/teams/${encodeURIComponent(team.name)}${suffix}?${type}=name`;

interface Member {
  readonly user: { readonly id: string; readonly username: string };
  readonly role: string;
}
const members = async () => (await system.api.read<{ members: readonly Member[] }>(`/v2/teams/${team.id}`)).members;

interface Logs {
  readonly offset: string;
  readonly logs: readonly { readonly owner: string; readonly createdDate: string; readonly log: string }[];
}

describe('teams (part 2, 4.1)', () => {
  it('create-team answers 201 Created with id and name, and makes its defaults', async () => {
    const name = scenario.name('Web');
    const { body } = await system.api.expect(201, 'POST', '/v2/teams', { name });
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name } });
    await system.api.expect(200, 'GET', `/v2/schedules/${encodeURIComponent(`${name}_schedule`)}?identifierType=name`);
    expect((await system.api.request('POST', '/v2/teams', { name })).status).toBe(409);
    expect((await system.api.request('POST', '/v2/teams', { name: 'n'.repeat(101) })).status).toBe(422);
    const strange = { name: scenario.name('New'), members: [{ user: { username: 'unknown@example.com' } }] };
    const refused = await system.api.request('POST', '/v2/teams', strange);
    expect(refused.status).toBe(404);
    expect(refused.body['message']).toContain('unknown@example.com');
  });

  it('get-team answers the team with its members, by id and by name', async () => {
    const read = await system.api.read(`/v2/teams/${team.id}`);
    expect(read).toEqual({
      id: team.id,
      name: team.name,
      description: 'Keeps it running',
      members: [{ user: { id: expect.any(String), username: scenario.address('ada') }, role: 'admin' }],
    });
    expect(await system.api.read(byName(''))).toEqual(read);
    expect((await system.api.request('GET', '/v2/teams/nothing')).status).toBe(404);
  });

  it('update-team changes what is sent; members replace the whole list', async () => {
    const name = scenario.name('Renamed');
    const { body } = await system.api.expect(200, 'PATCH', `/v2/teams/${team.id}`, { name });
    expect(body).toMatchObject({ result: 'Updated', data: { id: team.id, name } });
    const read = await system.api.read<Record<string, unknown>>(`/v2/teams/${team.id}`);
    expect(read).toMatchObject({ name, description: 'Keeps it running', members: [{ role: 'admin' }] });
    await system.api.expect(200, 'PATCH', `/v2/teams/${team.id}`, read);
    expect(await system.api.read(`/v2/teams/${team.id}`)).toEqual(read);
    const others = { members: [{ user: { username: scenario.address('bob') } }] };
    await system.api.expect(200, 'PATCH', `/v2/teams/${team.id}`, others);
    expect(await members()).toMatchObject([{ user: { username: scenario.address('bob') }, role: 'user' }]);
    expect((await system.api.request('PATCH', '/v2/teams/nothing', {})).status).toBe(404);
  });

  it('delete-team answers Deleted and takes its defaults along', async () => {
    expect((await system.api.expect(200, 'DELETE', byName(''))).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', `/v2/teams/${team.id}`)).status).toBe(404);
    const schedule = `/v2/schedules/${encodeURIComponent(`${team.name}_schedule`)}?identifierType=name`;
    expect((await system.api.request('GET', schedule)).status).toBe(404);
  });

  it('list-teams answers every team with its links', async () => {
    const teams = await system.api.read<readonly { id: string; links: unknown }[]>('/v2/teams');
    expect(teams.find(({ id }) => id === team.id)).toEqual({
      id: team.id,
      name: team.name,
      description: 'Keeps it running',
      links: { web: expect.any(String), api: expect.stringContaining(`/v2/teams/${team.id}`) },
    });
  });

  it('list-team-logs answers what happened to the team, page by page', async () => {
    await system.api.expect(200, 'PATCH', `/v2/teams/${team.id}`, { name: scenario.name('Renamed') });
    const bob = { user: { username: scenario.address('bob') }, role: 'user' };
    await system.api.expect(200, 'POST', `/v2/teams/${team.id}/members`, bob);
    await system.api.expect(200, 'POST', `/v2/teams/${team.id}/members`, { ...bob, role: 'admin' });
    await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}/members/${scenario.address('bob')}`);
    const logs = `/v2/teams/${team.id}/logs`;
    const all = await system.api.read<Logs>(`${logs}?order=asc`);
    expect(all.logs.length).toBeGreaterThanOrEqual(5);
    expect(all.logs.every(({ owner, createdDate }) => owner === 'Default API' && createdDate.endsWith('Z'))).toBe(true);
    const newestFirst = await system.api.read<Logs>(`${logs}?limit=2`);
    expect(newestFirst.logs).toEqual(all.logs.toReversed().slice(0, 2));
    const more = await system.api.read<Logs>(`${logs}?limit=2&offset=${encodeURIComponent(newestFirst.offset)}`);
    expect(more.logs).toEqual(all.logs.toReversed().slice(2, 4));
    expect((await system.api.request('GET', `${logs}?limit=101`)).status).toBe(422);
  });
});

describe('team members (part 2, 4.1)', () => {
  it('add-team-member answers 200 Added; adding twice updates the role', async () => {
    const bob = { user: { username: scenario.address('bob') } };
    const { body } = await system.api.expect(200, 'POST', `/v2/teams/${team.id}/members`, bob);
    expect(body).toMatchObject({ result: 'Added', data: { id: team.id, name: team.name } });
    await system.api.expect(200, 'POST', byName('/members', 'teamIdentifierType'), { ...bob, role: 'Admin' });
    expect((await members()).map(({ role }) => role)).toEqual(['admin', 'admin']);
    expect((await system.api.request('POST', `/v2/teams/${team.id}/members`, { user: {} })).status).toBe(422);
    const unknown = { user: { id: 'unknown' } };
    expect((await system.api.request('POST', `/v2/teams/${team.id}/members`, unknown)).status).toBe(404);
  });

  it('remove-team-member answers 200 Removed, by id or user name', async () => {
    const [ada] = await members();
    const { body } = await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}/members/${ada?.user.id}`);
    expect(body).toMatchObject({ result: 'Removed', data: { id: team.id, name: team.name } });
    expect(await members()).toEqual([]);
    const again = await system.api.request('DELETE', `/v2/teams/${team.id}/members/${scenario.address('ada')}`);
    expect(again.status).toBe(404);
  });

  it('remove-team-member leaves the user in the rotations of the team, and says so in its log', async () => {
    const name = scenario.name('Duty');
    const participants = [{ type: 'user', username: scenario.address('ada') }];
    const rotations = [{ startDate: '2026-01-01T00:00:00Z', type: 'daily', participants }];
    await system.api.create('/v2/schedules', { name, ownerTeam: { id: team.id }, rotations });
    await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}/members/${scenario.address('ada')}`);
    const { logs } = await system.api.read<Logs>(`/v2/teams/${team.id}/logs?limit=1`);
    const stays = `rotation [Rot1] of schedule [${name}]`;
    expect(logs[0]?.log).toBe(`User [${scenario.address('ada')}] is removed. They stay in ${stays}.`);
  });
});

describe('team roles (wire facts 5)', () => {
  const role = { name: 'Night watch', rights: [{ right: 'edit-team-roles', granted: true }] };
  let roles: string;
  let id: string;

  beforeEach(async () => {
    roles = `/v2/teams/${team.id}/roles`;
    ({ id } = await system.api.create(roles, role));
  });

  it('create-team-role answers 201 Created with id and name', async () => {
    const { body } = await system.api.expect(201, 'POST', roles, { ...role, name: 'Day watch' });
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Day watch' } });
    expect((await system.api.request('POST', roles, role)).status).toBe(409);
  });

  it('get-team-role and list-team-roles answer name and rights', async () => {
    expect(await system.api.read(`${roles}/${id}`)).toMatchObject({ id, ...role });
    expect(await system.api.read(roles)).toMatchObject([{ id, name: role.name }]);
  });

  it('update-team-role changes what is sent', async () => {
    const changes = { rights: [{ right: 'edit-team-roles', granted: false }] };
    const { body } = await system.api.expect(200, 'PATCH', `${roles}/${id}`, changes);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: role.name } });
    expect(await system.api.read(`${roles}/${id}`)).toMatchObject({ ...role, ...changes });
  });

  it('delete-team-role answers Deleted', async () => {
    expect((await system.api.expect(200, 'DELETE', `${roles}/${id}`)).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', `${roles}/${id}`)).status).toBe(404);
  });
});

import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

const role = (name: string) => ({
  name,
  extendedRole: 'observer',
  grantedRights: ['who-is-on-call-show-all'],
  disallowedRights: ['profile-edit'],
});

describe('custom roles (wire facts 5)', () => {
  it('create-role answers 201 Created with id and name', async () => {
    const { body } = await system.api.expect(201, 'POST', '/v2/roles', role('Watcher'));
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Watcher' } });
    expect((await system.api.request('POST', '/v2/roles', role('Watcher'))).status).toBe(409);
    expect((await system.api.request('POST', '/v2/roles', { ...role('Other'), extendedRole: 'king' })).status).toBe(
      422,
    );
  });

  it('get-role answers every field, by id and by name', async () => {
    const { id } = await system.api.create('/v2/roles', role('Reader'));
    expect(await system.api.read(`/v2/roles/${id}`)).toMatchObject({ id, ...role('Reader') });
    expect(await system.api.read('/v2/roles/Reader?identifierType=name')).toMatchObject({ id });
  });

  it('list-roles answers the roles', async () => {
    const { id } = await system.api.create('/v2/roles', role('Listed'));
    expect(await system.api.read('/v2/roles')).toContainEqual(expect.objectContaining({ id, name: 'Listed' }));
  });

  it('update-role replaces the role, and users have it by its new name', async () => {
    const { id } = await system.api.create('/v2/roles', role('Old name'));
    const username = system.scenario().address('ada');
    await system.api.create('/v2/users', {
      username,
      fullName: 'Ada',
      role: { name: 'Old name' },
      invitationDisabled: true,
    });
    const { body } = await system.api.expect(200, 'PUT', `/v2/roles/${id}`, role('New name'));
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'New name' } });
    expect(await system.api.read(`/v2/users/${username}`)).toMatchObject({ role: { id, name: 'New name' } });
  });

  it('import-role answers Created, Updated and Unchanged, and the role has its id', async () => {
    const path = '/v2/imports/roles/4f8fad5b-d9cb-469f-a165-70867728950e';
    const results = [];
    for (const body of [role('Imported'), role('Imported again'), role('Imported again')])
      results.push(((await system.api.expect(200, 'PUT', path, body)).body as { result: string }).result);
    expect(results).toEqual(['Created', 'Updated', 'Unchanged']);
    expect(await system.api.read('/v2/roles/4f8fad5b-d9cb-469f-a165-70867728950e')).toMatchObject(
      role('Imported again'),
    );
  });

  it('delete-role answers Deleted, and 428 while a user has it', async () => {
    const { id } = await system.api.create('/v2/roles', role('Leaving'));
    const username = system.scenario().address('bob');
    await system.api.create('/v2/users', {
      username,
      fullName: 'Bob',
      role: { name: 'Leaving' },
      invitationDisabled: true,
    });
    expect((await system.api.request('DELETE', `/v2/roles/${id}`)).status).toBe(428);
    await system.api.expect(200, 'PATCH', `/v2/users/${username}`, { role: { name: 'user' } });
    expect((await system.api.expect(200, 'DELETE', `/v2/roles/${id}`)).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', `/v2/roles/${id}`)).status).toBe(404);
  });
});

describe('the account (wire facts 5)', () => {
  it('get-account answers its name, its plan and how many users it has', async () => {
    const { data } = (await system.api.expect(200, 'GET', '/v2/account')).body;
    await system.scenario().users('cyd');
    expect(data).toMatchObject({ name: expect.any(String), userCount: expect.any(Number), plan: {} });
    const { userCount } = data as { userCount: number };
    expect(await system.api.read('/v2/account')).toMatchObject({ userCount: userCount + 1 });
  });

  it('publish-move, get-move and delete-move keep the last check of a move until it is over (M6)', async () => {
    const path = '/v2/account/move';
    const names = ['differences', 'alerts', 'duration', 'on-call', 'imported'];
    const check = {
      from: 'https://api.opsgenie.com',
      checkedAt: system.clock.now().toISOString(),
      conditions: names.map((name) => ({ name, state: 'unknown', summary: 'It could not be read.', missing: [] })),
    };
    const published = (await system.api.expect(200, 'PUT', path, check)).body;
    expect(published).toMatchObject({ result: 'Updated', data: { from: check.from } });
    const data = await system.api.read<{ conditions: readonly { name: string }[] }>(path);
    expect(data).toMatchObject({ publishedBy: expect.any(String), publishedAt: expect.any(String) });
    expect(data.conditions.map(({ name }) => name)).toEqual(names.toReversed());
    const older = { ...check, checkedAt: new Date(system.clock.now().getTime() - 60_000).toISOString() };
    expect((await system.api.request('PUT', path, older)).status).toBe(409);
    const partial = { ...check, conditions: check.conditions.slice(1) };
    expect((await system.api.request('PUT', path, partial)).status).toBe(422);
    expect((await system.api.expect(200, 'DELETE', path)).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', path)).status).toBe(404);
  });

  it('list-request-limits answers how many requests of each domain there may be in a second and in a minute, with and without a trailing slash (E16)', async () => {
    for (const path of ['/v2/request-limits', '/v2/request-limits/']) {
      const windows = (second: number, minute: number) => ({
        limits: [
          { limit: second, periodInSeconds: 1 },
          { limit: minute, periodInSeconds: 60 },
        ],
      });
      expect(await system.api.read(path)).toEqual({
        rateLimits: [
          { domain: 'alert', ...windows(100, 1_000) },
          { domain: 'heartbeat', ...windows(100, 1_000) },
          { domain: 'integration', ...windows(200, 2_000) },
          { domain: 'configuration', ...windows(200, 2_000) },
          { domain: 'search', ...windows(200, 2_000) },
          { domain: 'schedule-oncalls', ...windows(200, 2_000) },
        ],
      });
    }
  });
});

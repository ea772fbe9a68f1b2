import { describe, expect, it } from '@jest/globals';
import { ConflictError, NotFoundError } from '@tocsin/core';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleRole, sampleUser } from '../testing/stored-samples.ts';

const watch = { id: 'role-Watch', name: 'Watch' };
const renamed = (name: string) => (role: ReturnType<typeof sampleRole>) => ({ ...role, name });

describe('RoleStore', () => {
  it('returns a role whole, by id and by its exact name', async () => {
    const { roles } = await emptyStores();
    await roles.insert(sampleRole('Watch'));
    expect(await roles.find({ id: 'role-Watch' })).toEqual(sampleRole('Watch'));
    expect(await roles.find({ name: 'Watch' })).toEqual(sampleRole('Watch'));
    expect(await roles.find({ name: 'watch' })).toBeUndefined();
    expect(await roles.find({ id: 'Watch' })).toBeUndefined();
  });

  it('lists roles by creation', async () => {
    const { roles } = await emptyStores();
    await roles.insert(sampleRole('A', { createdAt: new Date('2026-02-01T00:00:00Z') }));
    await roles.insert(sampleRole('C'));
    await roles.insert(sampleRole('B'));
    expect((await roles.list()).map((role) => role.name)).toEqual(['B', 'C', 'A']);
  });

  it('lets one of many roles created at once under one name in', async () => {
    const { roles } = await emptyStores();
    const inserts = Array.from({ length: 20 }, (_, n) => roles.insert(sampleRole('Watch', { id: `role-${n}` })));
    const results = await Promise.allSettled(inserts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(refusals.every((reason) => reason instanceof ConflictError)).toBe(true);
  });

  it('changes a role, and the name under which users have it', async () => {
    const { roles, users } = await emptyStores();
    await roles.insert(sampleRole('Watch'));
    await users.insert(sampleUser('ada', { role: watch }));
    await users.insert(sampleUser('bob'));
    const changed = await roles.change({ name: 'Watch' }, renamed('Night watch'));
    expect(changed).toEqual(sampleRole('Watch', { name: 'Night watch' }));
    expect(await roles.find({ id: 'role-Watch' })).toEqual(changed);
    expect((await users.find({ id: 'user-ada' }))?.role).toEqual({ id: 'role-Watch', name: 'Night watch' });
    expect((await users.find({ id: 'user-bob' }))?.role.name).toBe('User');
    const found = await users.list({
      sort: 'username',
      order: 'asc',
      offset: 0,
      limit: 9,
      conditions: [{ field: 'role', match: 'is', value: 'night watch' }],
    });
    expect(found.users.map(({ id }) => id)).toEqual(['user-ada']);
  });

  it('changes nothing where the name is taken, the role is missing or nothing differs', async () => {
    const { roles } = await emptyStores();
    await roles.insert(sampleRole('Watch'));
    await roles.insert(sampleRole('Guest'));
    await expect(roles.change({ id: 'role-Guest' }, renamed('Watch'))).rejects.toThrow(
      'Role with name [Watch] already exists.',
    );
    expect(await roles.change({ id: 'unknown' }, (role) => role)).toBeUndefined();
    expect(await roles.change({ id: 'role-Guest' }, (role) => role)).toEqual(sampleRole('Guest'));
    expect((await roles.list()).map(({ name }) => name)).toEqual(['Guest', 'Watch']);
  });

  it('removes a role once no user has it', async () => {
    const { roles, users } = await emptyStores();
    await roles.insert(sampleRole('Watch'));
    await users.insert(sampleUser('ada', { role: watch }));
    const inUse = { kind: 'in-use', users: 1, usernames: ['ada@example.com'] };
    expect(await roles.remove({ name: 'Watch' })).toEqual(inUse);
    await users.change({ id: 'user-ada' }, (user) => ({
      user: { ...user, role: { id: 'user', name: 'user' } },
      answer: 1,
    }));
    expect(await roles.remove({ name: 'Watch' })).toEqual({ kind: 'removed' });
    expect(await roles.remove({ id: 'role-Watch' })).toEqual({ kind: 'missing' });
  });

  it('gives a user no deleted role, and a role under its present name', async () => {
    const { roles, users } = await emptyStores();
    const give = (role: { id: string; name: string }) =>
      users.change({ id: 'user-ada' }, (user) => ({ user: { ...user, role }, answer: 1 }));
    await users.insert(sampleUser('ada'));
    await expect(users.insert(sampleUser('bob', { role: watch }))).rejects.toThrow(NotFoundError);
    await expect(give(watch)).rejects.toThrow('Role does not exist with name: Watch');
    expect(await users.find({ id: 'user-ada' })).toEqual(sampleUser('ada'));
    await roles.insert(sampleRole('Watch'));
    await give({ ...watch, name: 'An earlier name' });
    expect((await users.find({ id: 'user-ada' }))?.role).toEqual(watch);
  });
});

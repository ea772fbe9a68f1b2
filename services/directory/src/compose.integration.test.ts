import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { accountKey, testApp } from './testing/app-fixture.ts';

describe('the directory', () => {
  it('refuses a caller without a principal of the gateway', async () => {
    const { app } = await testApp();
    expect((await request(app).get('/v2/users')).status).toBe(401);
  });

  it('answers 403 to a key without configuration access', async () => {
    const { get } = await testApp();
    const { status, body } = await get('/v2/teams', { ...accountKey, mayConfigure: false });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 40301 });
  });

  it('answers 403 to a write with a key without write access', async () => {
    const { post } = await testApp();
    expect((await post('/v2/teams', { name: 'Ops' }, { ...accountKey, mayWrite: false })).status).toBe(403);
  });
});

describe('the first owner', () => {
  it('is made once, however often the service starts', async () => {
    const { directory } = await testApp();
    await directory.users.ensureOwner('owner@example.com');
    await directory.users.ensureOwner('owner@example.com');
    await directory.users.ensureOwner('another-owner@example.com');
    const { users } = await directory.users.list({
      conditions: [],
      sort: 'username',
      order: 'asc',
      offset: 0,
      limit: 10,
    });
    expect(users).toMatchObject([{ username: 'owner@example.com', role: { id: 'owner', name: 'owner' } }]);
  });

  it('is one, however many processes start at once', async () => {
    const { directory } = await testApp();
    await Promise.all([1, 2, 3].map(() => directory.users.ensureOwner('owner@example.com')));
    expect((await directory.users.get('owner@example.com')).role.id).toBe('owner');
  });

  it('is not made where no address is set', async () => {
    const { directory } = await testApp();
    await directory.users.ensureOwner(undefined);
    expect(
      (await directory.users.list({ conditions: [], sort: 'username', order: 'asc', offset: 0, limit: 10 })).total,
    ).toBe(0);
  });

  it('does not change a user who has the address', async () => {
    const { directory, user } = await testApp();
    await user('owner@example.com', 'admin');
    await directory.users.ensureOwner('owner@example.com');
    expect((await directory.users.get('owner@example.com')).role.id).toBe('admin');
  });
});

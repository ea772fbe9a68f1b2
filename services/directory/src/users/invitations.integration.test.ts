import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const ada = { username: 'Ada@Example.com', fullName: 'Ada Lovelace', role: { name: 'user' }, locale: 'en_GB' };

describe('the invitation of a new user', () => {
  it('says who invited, where, and what address is paged', async () => {
    const { post, notices } = await testApp();
    const { body } = await post('/v2/users', ada, { ...accountKey, integrationName: 'Terraform' });
    const { id } = (body as { data: { id: string } }).data;
    expect(await notices()).toEqual([
      {
        kind: 'invitation',
        noticeId: id,
        userId: id,
        at: '2026-01-01T00:00:00.000Z',
        username: 'ada@example.com',
        to: 'ada@example.com',
        fullName: 'Ada Lovelace',
        locale: 'en_GB',
        invitedBy: 'Terraform',
        accountName: 'Example',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      },
    ]);
  });

  it.each([true, 'true', 'TRUE'])('is left out where invitationDisabled is %j', async (invitationDisabled) => {
    const { post, notices } = await testApp();
    expect((await post('/v2/users', { ...ada, invitationDisabled })).status).toBe(201);
    expect(await notices()).toEqual([]);
  });

  it.each([false, 'false', null, ''])('goes out where invitationDisabled is %j', async (invitationDisabled) => {
    const { post, notices } = await testApp();
    expect((await post('/v2/users', { ...ada, invitationDisabled })).status).toBe(201);
    expect(await notices()).toHaveLength(1);
  });

  it('is not sent to a user who was not created', async () => {
    const { post, notices } = await testApp();
    await post('/v2/users', ada);
    expect((await post('/v2/users', ada)).status).toBe(409);
    expect((await post('/v2/users', { ...ada, username: 'bob@example.com', role: { name: 'King' } })).status).toBe(404);
    expect(await notices()).toHaveLength(1);
  });

  it('is not sent to the first owner, whom no user invites', async () => {
    const { directory, notices } = await testApp();
    await directory.users.ensureOwner('owner@example.com');
    expect(await notices()).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

describe('GET /v2/account', () => {
  it('answers the name, the number of users and a plan without limit', async () => {
    const { user, get } = await testApp();
    await user('ada@example.com');
    await user('bob@example.com');
    const { status, body } = await get('/v2/account');
    expect(status).toBe(200);
    expect((body as { data: unknown }).data).toEqual({
      name: 'Example',
      userCount: 2,
      plan: { maxUserCount: 2_147_483_647, name: 'Self-hosted', isYearly: false },
    });
  });

  it('answers 403 to a key without configuration access', async () => {
    const { get } = await testApp();
    expect((await get('/v2/account', { ...accountKey, mayConfigure: false })).status).toBe(403);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/events';
import { accountKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const full = {
  fullName: 'Ada Lovelace',
  role: { name: 'Admin' },
  skypeUsername: 'ada.l',
  userAddress: { country: 'UK', state: 'London', city: 'London', line: 'St James 12', zipCode: 'SW1' },
  tags: ['founder', 'night'],
  details: { 'badge.no': ['7', '8'], empty: [] },
  timeZone: 'Europe/London',
  locale: 'en_GB',
};
const path = '/v2/users/ada@example.com';

/** An app with one user who has everything, and a reader of that user. */
async function withAda(): Promise<TestApp & { readonly ada: () => Promise<Record<string, unknown>> }> {
  const app = await testApp();
  await app.post('/v2/users', { ...full, username: 'ada@example.com' });
  return { ...app, ada: async () => ((await app.get(path)).body as { data: Record<string, unknown> }).data };
}

describe('PATCH /v2/users/{identifier}', () => {
  it('answers 200 Updated, by id and by user name', async () => {
    const { patch, ada } = await withAda();
    const { status, body } = await patch(path, { fullName: 'Ada King' });
    expect([status, (body as { result: string }).result]).toEqual([200, 'Updated']);
    const { id, fullName } = await ada();
    expect(fullName).toBe('Ada King');
    expect((await patch(`/v2/users/${String(id)}`, { fullName: 'Ada' })).status).toBe(200);
    expect(await ada()).toMatchObject({ fullName: 'Ada' });
  });

  it.each([
    ['fullName', { fullName: 'Ada King' }],
    ['role', { role: { id: 'user', name: 'User' } }],
    ['skypeUsername', { skypeUsername: 'ada.k' }],
    ['userAddress', { userAddress: { country: '', state: '', city: 'Rome', line: '', zipCode: '' } }],
    ['tags', { tags: ['day'] }],
    ['tags', { tags: [] }],
    ['details', { details: { badge: ['9'] } }],
    ['details', { details: {} }],
    ['timeZone', { timeZone: 'Asia/Kathmandu' }],
    ['locale', { locale: 'fr' }],
    ['mutedUntil', { mutedUntil: '2026-03-01T06:00:00Z' }],
  ])('changes %s and nothing else: %j', async (_, change) => {
    const { patch, ada } = await withAda();
    const before = await ada();
    expect((await patch(path, change)).status).toBe(200);
    expect(await ada()).toEqual({ ...before, ...change });
  });

  it('answers 503 to a role that is not on the topic yet, and publishes it later (K21)', async () => {
    const { patch, ada, stores } = await withAda();
    const role = { role: { name: 'User' } };
    stores.publisher.refuseWith(new Error('Kafka is unavailable'));
    for (const request of ['first', 'repeated'])
      expect([request, (await patch(path, role)).status]).toEqual([request, 503]);
    expect(await ada()).toMatchObject({ role: { name: 'User' } });
    expect((await patch(path, { fullName: 'Ada King' })).status).toBe(200);
    stores.publisher.refuseWith(undefined);
    expect((await patch(path, role)).status).toBe(200);
    const states = stores.publisher.published.filter(({ topic }) => topic === Users.name);
    expect(states.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({ state: expect.objectContaining({ role: 'user', fullName: 'Ada King' }) }),
    );
    expect((await patch(path, { role: { name: 'Admin' } })).status).toBe(200);
    const { message } = stores.publisher.published.findLast(({ topic }) => topic === Users.name) ?? {};
    expect(message).toMatchObject({ state: { role: 'admin' } });
  });

  it('reads the zone from timezone too, and takes a blank Skype name away', async () => {
    const { patch, ada } = await withAda();
    await patch(path, { timezone: 'Asia/Tokyo', skypeUsername: '' });
    expect(await ada()).toMatchObject({ timeZone: 'Asia/Tokyo' });
    expect(await ada()).not.toHaveProperty('skypeUsername');
  });

  it('removes a mute by null alone, and publishes that', async () => {
    const { patch, ada } = await withAda();
    const before = await ada();
    await patch(path, { mutedUntil: '2026-03-01T08:00:00+02:00' });
    await patch(path, { fullName: full.fullName });
    expect(await ada()).toEqual({ ...before, mutedUntil: '2026-03-01T06:00:00Z' });
    expect((await patch(path, { mutedUntil: null })).status).toBe(200);
    expect(await ada()).toEqual(before);
  });

  it('takes a custom role by name and by id', async () => {
    const { patch, post, ada } = await withAda();
    const { body } = await post('/v2/roles', { name: 'Night watch' });
    const { id } = (body as { data: { id: string } }).data;
    await patch(path, { role: { name: 'Night watch' } });
    expect(await ada()).toMatchObject({ role: { id, name: 'Night watch' } });
    await patch(path, { role: { name: 'user' } });
    await patch(path, { role: { id } });
    expect(await ada()).toMatchObject({ role: { id, name: 'Night watch' } });
  });

  it('empties the address that is written as empty texts', async () => {
    const { patch, ada } = await withAda();
    await patch(path, { userAddress: { city: '' } });
    expect(await ada()).toMatchObject({ userAddress: { country: '', state: '', city: '', line: '', zipCode: '' } });
  });

  it('changes nothing, not even the version, by the data of a GET, an empty body or what is null or unknown', async () => {
    const { patch, ada, directory } = await withAda();
    const [before, stored] = [await ada(), await directory.users.get('ada@example.com')];
    const nothing = {
      fullName: '',
      role: null,
      userAddress: null,
      tags: null,
      details: null,
      timeZone: '',
      locale: '',
    };
    for (const body of [before, {}, nothing, { shoeSize: 43, invitationDisabled: true, role: {}, userAddress: {} }])
      expect((await patch(path, body)).status).toBe(200);
    expect(await ada()).toEqual(before);
    expect(await directory.users.get('ada@example.com')).toEqual(stored);
  });

  it.each([
    ['fullName', { fullName: ' ' }, 'Full name can not be empty.'],
    ['fullName', { fullName: 'é'.repeat(513) }, 'should be at most 512 characters'],
    ['role', { role: 'admin' }, 'should be an object with the name of a role'],
    ['timeZone', { timeZone: 'Mars/Olympus' }, 'should be a time zone such as Europe/Rome'],
    ['mutedUntil', { mutedUntil: 'tomorrow' }, 'should be a date such as 2026-01-31T08:00:00Z'],
    ['mutedUntil', { mutedUntil: '' }, 'should be a date such as 2026-01-31T08:00:00Z'],
    ['timezone', { timezone: 'Mars/Olympus' }, 'should be a time zone such as Europe/Rome'],
    ['locale', { locale: 'EN' }, 'should be a locale such as en_US'],
    ['tags', { tags: 'night' }, 'should be a list'],
    ['tags', { tags: Array.from({ length: 1_001 }, () => 'a') }, 'should have at most 1000 items'],
    ['details.badge', { details: { badge: '7' } }, 'should be a list'],
    ['userAddress', { userAddress: 'Rome' }, 'should be an object'],
    ['userAddress.line', { userAddress: { line: 'a'.repeat(1_001) } }, 'should be at most 1000 characters'],
    ['skypeUsername', { skypeUsername: 7 }, 'should be a string'],
  ])('answers 422 that names %s, and changes nothing', async (field, change, sentence) => {
    const { patch, ada } = await withAda();
    const before = await ada();
    const { status, body } = await patch(path, { locale: 'de', ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(await ada()).toEqual(before);
  });

  it('takes names of 512 characters and lists of 1000 items', async () => {
    const { patch } = await withAda();
    const tags = Array.from({ length: 1_000 }, (_, n) => `tag ${n}`);
    expect((await patch(path, { fullName: '🔔'.repeat(512), tags })).status).toBe(200);
  });

  it('answers 404 when there is no such user, or no such role', async () => {
    const { patch, ada } = await withAda();
    const before = await ada();
    const missing = await patch('/v2/users/unknown@example.com', { fullName: 'Unknown' });
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({ message: 'User does not exist with id or username: unknown@example.com' });
    const byName = await patch(path, { fullName: 'Ada King', role: { name: 'Night watch' } });
    expect(byName.status).toBe(404);
    expect(byName.body).toMatchObject({ message: 'Role does not exist with name: Night watch' });
    const byId = await patch(path, { role: { id: 'role-7' } });
    expect(byId.body).toMatchObject({ message: 'Role does not exist with id: role-7' });
    expect(await ada()).toEqual(before);
  });

  it('answers 422 when the last owner would get another role, until another user owns the account', async () => {
    const { user, patch, get } = await testApp();
    await user('ada@example.com', 'owner');
    const { status, body } = await patch(path, { role: { name: 'admin' } });
    expect(status).toBe(422);
    const message = 'User [ada@example.com] is the last owner of the account and needs that role.';
    expect(body).toMatchObject({ message, errors: { role: message } });
    expect((await patch(path, { role: { name: 'Owner' }, fullName: 'Ada' })).status).toBe(200);
    await user('bob@example.com', 'owner');
    expect((await patch(path, { role: { name: 'admin' } })).status).toBe(200);
    expect((await get(path)).body).toMatchObject({ data: { role: { id: 'admin' } } });
  });

  it('answers 403 to the key of a team, and to a key that may not write', async () => {
    const { patch } = await withAda();
    expect((await patch(path, {}, { ...accountKey, teamId: 'team' })).status).toBe(403);
    expect((await patch(path, {}, { ...accountKey, mayWrite: false })).status).toBe(403);
  });
});

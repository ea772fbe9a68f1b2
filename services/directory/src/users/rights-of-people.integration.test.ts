import { beforeAll, describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { nights } from '../testing/notification-rule-fixture.ts';
import { testApp, type TestApp } from '../testing/app-fixture.ts';

const SELF = 'Only the user, or an admin of the account, can change what belongs to a user.';
const contact = { method: 'sms', to: '1-5556667777' };

let app: TestApp;
let adaId: string;

beforeAll(async () => {
  app = await testApp();
  adaId = await app.user('ada@example.com');
  await app.user('bob@example.com');
});

const ada = () => ({ ...signedIn(), userId: adaId });

describe('a user', () => {
  it('changes their own contacts, by id and by user name', async () => {
    const { status, body } = await app.post(`/v2/users/${adaId}/contacts`, contact, ada());
    expect(status).toBe(201);
    const { id } = (body as { data: { id: string } }).data;
    const own = `/v2/users/Ada@example.com/contacts/${id}`;
    expect((await app.patch(own, { to: '1-5556668888' }, ada())).status).toBe(200);
    expect((await app.remove(own, ada())).status).toBe(200);
  });

  it('reads the contacts of another user, and changes none (K12)', async () => {
    const theirs = '/v2/users/bob@example.com/contacts';
    expect((await app.get(theirs, ada())).status).toBe(200);
    const before = (await app.get(theirs)).body;
    expect(await app.post(theirs, contact, ada())).toMatchObject({
      status: 403,
      body: { code: 40301, message: SELF },
    });
    expect((await app.get(theirs)).body).toMatchObject({ data: (before as { data: unknown }).data });
  });

  it('changes their own notification rules, not those of another user, and copies none to others', async () => {
    const created = await app.post(`/v2/users/${adaId}/notification-rules`, nights, ada());
    expect(created.status).toBe(201);
    expect((await app.post('/v2/users/bob@example.com/notification-rules', nights, ada())).status).toBe(403);
    const copy = { toUsers: ['all'], ruleTypes: ['all'] };
    const path = `/v2/users/${adaId}/notification-rules/copy-to`;
    expect((await app.post(path, copy, ada())).status).toBe(403);
  });

  it('changes their own profile but not their role', async () => {
    const profile = { fullName: 'Ada King', timeZone: 'Europe/Paris' };
    expect((await app.patch(`/v2/users/${adaId}`, profile, ada())).status).toBe(200);
    const promoted = await app.patch(`/v2/users/${adaId}`, { role: { name: 'owner' } }, ada());
    const message = 'Only an owner or admin of the account can change a role.';
    expect(promoted).toMatchObject({ status: 403, body: { message } });
    expect((await app.patch('/v2/users/bob@example.com', profile, ada())).status).toBe(403);
    expect((await app.get(`/v2/users/${adaId}`)).body).toMatchObject({
      data: { fullName: 'Ada King', role: { name: 'user' } },
    });
  });

  it('neither invites nor deletes users', async () => {
    const body = { username: 'eve@example.com', fullName: 'Eve', role: { name: 'user' } };
    expect((await app.post('/v2/users', body, ada())).status).toBe(403);
    expect((await app.remove('/v2/users/bob@example.com', ada())).status).toBe(403);
  });
});

describe('an admin of the account', () => {
  it('changes the contacts and the role of every user', async () => {
    const admin = signedIn({}, { role: 'admin', userId: 'root' });
    expect((await app.post('/v2/users/bob@example.com/contacts', contact, admin)).status).toBe(201);
    expect((await app.patch('/v2/users/bob@example.com', { role: { name: 'admin' } }, admin)).status).toBe(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp, type TestApp } from '../testing/app-fixture.ts';
import { ADA, added, CONTACTS, listed, newAlertSteps, phone, versionOf, withAda } from '../testing/contact-fixture.ts';

const teamKey = { ...accountKey, teamId: 'team' };

describe('POST /v2/users/{userIdentifier}/contacts', () => {
  it('answers 201 with the id of the contact, which is enabled and usable at once', async () => {
    const app = await withAda();
    const { status, body } = await app.post(CONTACTS, { method: 'Voice', to: '39-06', unknown: 1 });
    const { took, requestId, ...rest } = body as Record<string, unknown>;
    expect([status, took, requestId]).toEqual([201, expect.any(Number), expect.any(String)]);
    expect(rest).toEqual({ result: 'Created', data: { id: expect.any(String) } });
    const { id } = rest['data'] as { id: string };
    expect((await app.get(`${CONTACTS}/${id}`)).body).toMatchObject({
      data: { id, method: 'voice', to: '39-06', status: { enabled: true } },
    });
    expect((await app.notices()).filter(({ kind }) => kind === 'contact-verification')).toEqual([]);
  });

  it('knows the user by id and by user name in any case', async () => {
    const app = await testApp();
    const id = await app.user(ADA);
    expect((await app.post(`/v2/users/${id}/contacts`, phone)).status).toBe(201);
    expect((await app.post('/v2/users/ADA@Example.com/contacts', { ...phone, to: '1-2' })).status).toBe(201);
    expect(await listed(app)).toHaveLength(3);
  });

  it('gives the first sms and the first voice contact their steps in the default rule for new alerts', async () => {
    const app = await withAda();
    await added(app, { method: 'voice', to: '39-06' });
    await added(app, phone);
    await added(app, { method: 'sms', to: '1-2' });
    expect(await newAlertSteps(app)).toEqual([
      ['email', ADA, 0],
      ['sms', phone.to, 5],
      ['voice', '39-06', 10],
    ]);
  });

  it.each([
    ['method', { method: 'mobile' }, 'should be one of [ email, sms, voice ]'],
    ['method', { method: null }, 'should be one of [ email, sms, voice ]'],
    ['to', { to: undefined }, 'Address can not be empty.'],
    ['to', { to: '15551234567' }, 'should be a country code, a hyphen and a number, such as 1-5551234567'],
    ['to', { method: 'email', to: 'ada' }, 'must be a well-formed email address'],
  ])('answers 422 that names %s of %j, and adds nothing', async (field, change, sentence) => {
    const app = await withAda();
    const { status, body } = await app.post(CONTACTS, { ...phone, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(await versionOf(app)).toBe(1);
  });

  it.each(['email', 'sms', 'voice'])('takes two contacts of method %s and answers 422 to the third', async (method) => {
    const app = await withAda();
    const [first, second, third] = ['1-1', '1-2', '1-3'].map((to) => ({
      method,
      to: method === 'email' ? `${to}@example.com` : to,
    }));
    if (method !== 'email') await added(app, first);
    await added(app, second);
    const { status, body } = await app.post(CONTACTS, third ?? {});
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { method: 'has 2 contacts already, which is the most' } });
    expect((await listed(app)).filter((contact) => contact['method'] === method)).toHaveLength(2);
  });

  it('answers 409 to an address that the user has, a mail address in any case, and takes it under another method', async () => {
    const app = await withAda();
    await added(app, phone);
    const { status, body } = await app.post(CONTACTS, phone);
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Contact [sms] [1-5551234567] already exists.' });
    expect((await app.post(CONTACTS, { method: 'email', to: 'ADA@example.com' })).status).toBe(409);
    expect((await app.post(CONTACTS, { ...phone, method: 'voice' })).status).toBe(201);
  });

  it('lets two of many contacts of one method in, when they come at once', async () => {
    const app = await withAda();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => app.post(CONTACTS, { method: 'sms', to: `1-${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(18);
  });

  it('answers 404 that names a user who does not exist', async () => {
    const { status, body } = await (await testApp()).post(CONTACTS, phone);
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: `User does not exist with id or username: ${ADA}` });
  });
});

describe('GET /v2/users/{userIdentifier}/contacts', () => {
  it('lists the contacts in the order of their creation, numbered without a gap', async () => {
    const app = await withAda();
    const sms = await added(app, phone);
    await added(app, { method: 'voice', to: '39-06' });
    expect(await listed(app)).toEqual([
      { id: expect.any(String), method: 'email', to: ADA, status: { enabled: true }, applyOrder: 0 },
      { id: sms, method: 'sms', to: phone.to, status: { enabled: true }, applyOrder: 1 },
      { id: expect.any(String), method: 'voice', to: '39-06', status: { enabled: true }, applyOrder: 2 },
    ]);
    await app.remove(`${CONTACTS}/${sms}`);
    expect((await listed(app)).map(({ method, applyOrder }) => [method, applyOrder])).toEqual([
      ['email', 0],
      ['voice', 1],
    ]);
  });

  it('answers 404 for a user who does not exist', async () => {
    expect((await (await testApp()).get(CONTACTS)).status).toBe(404);
  });
});

const paths = [
  ['GET', '', undefined],
  ['PATCH', '', { to: '1-2' }],
  ['DELETE', '', undefined],
  ['POST', '/enable', {}],
  ['POST', '/disable', {}],
  ['POST', '/verification', {}],
  ['POST', '/verification/confirm', { code: '123456' }],
] as const;

describe.each(paths)('%s of one contact%s', (method, suffix, requestBody) => {
  const call = ({ get, patch, remove, post }: TestApp, path: string, caller = accountKey) => {
    if (method === 'GET') return get(path, caller);
    if (method === 'DELETE') return remove(path, caller);
    return (method === 'PATCH' ? patch : post)(path, requestBody, caller);
  };

  it('answers 404 that names a user or contact who does not exist, also one of another user', async () => {
    const app = await withAda();
    await app.user('bob@example.com');
    const id = await added(app);
    const unknown = await call(app, `${CONTACTS}/nothing${suffix}`);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ message: 'Contact does not exist with id: nothing' });
    expect((await call(app, `/v2/users/bob@example.com/contacts/${id}${suffix}`)).status).toBe(404);
    const missing = await call(app, `/v2/users/unknown/contacts/${id}${suffix}`);
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({ message: 'User does not exist with id or username: unknown' });
  });

  it('is refused with 403 to keys that may not', async () => {
    const app = await withAda();
    const path = `${CONTACTS}/${await added(app)}${suffix}`;
    expect((await call(app, path, { ...accountKey, mayConfigure: false })).status).toBe(403);
    if (method === 'GET') return;
    expect((await call(app, path, { ...accountKey, mayWrite: false })).status).toBe(403);
    const refused = await call(app, path, teamKey);
    expect([refused.status, refused.body]).toMatchObject([403, { code: 40_301 }]);
    expect((await listed(app))[1]).toMatchObject({ to: phone.to, status: { enabled: true } });
  });
});

describe('a method that a path of contacts does not take', () => {
  it('is answered 405 with those that it does', async () => {
    const { put } = await withAda();
    const { status, headers } = await put(`${CONTACTS}/contact`, {});
    expect([status, headers['allow']?.split(', ').toSorted()]).toEqual([405, ['DELETE', 'GET', 'PATCH']]);
  });
});

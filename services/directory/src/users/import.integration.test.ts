import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Sessions, Users } from '@tocsin/events';
import { publishAll } from '@tocsin/testkit';
import { type TestApp, accountKey, appOn, testApp } from '../testing/app-fixture.ts';
import {
  importAndDie,
  importId,
  POINTS_OF_DEATH,
  publishedOn,
  refusalOf,
  resultOf,
} from '../testing/import-fixture.ts';
import { anotherProcess } from '../testing/mongo-fixture.ts';

const [id, other] = [importId(1), importId(2)];
const path = `/v2/imports/users/${id}`;
const mail = { id: importId(11), method: 'email', to: 'Ada@Example.com', enabled: true } as const;
const phone = { id: importId(12), method: 'sms', to: '44-2079460000', enabled: false } as const;
const ada = {
  username: 'ada@example.com',
  fullName: 'Ada Lovelace',
  role: { name: 'admin' },
  skypeUsername: 'ada.l',
  userAddress: { city: 'London' },
  tags: ['on-site'],
  details: { badge: ['7', '8'] },
  timeZone: 'Europe/London',
  locale: 'en_GB',
  mutedUntil: '2026-03-01T00:00:00Z',
  contacts: [mail, phone],
};

const dataOf = async ({ get }: TestApp, of: string) => ((await get(of)).body as { data: unknown }).data;
const contactsOf = (app: TestApp) => dataOf(app, `/v2/users/${id}/contacts`);
const listed = ({ enabled, ...contact }: { readonly enabled: boolean }) => ({ ...contact, status: { enabled } });

describe('PUT /v2/imports/users/{identifier}', () => {
  it('creates a user with the ids of the body, and sends no message', async () => {
    const app = await testApp({ confirmation: 'required' });
    expect((await app.put(path, ada)).body).toMatchObject({ result: 'Created', data: { id } });
    const { contacts: _, ...fields } = ada;
    expect(await dataOf(app, `/v2/users/${id}`)).toMatchObject({ ...fields, id, verified: false });
    expect(await contactsOf(app)).toMatchObject([listed(mail), listed(phone)]);
    const stored = await app.stores.users.find({ id });
    expect(stored?.contacts).toEqual([mail, phone]);
    expect(stored?.notificationRules).toHaveLength(7);
    expect(stored?.notificationRules[0]?.steps).toMatchObject([
      { contact: { method: 'email', to: mail.to }, sendAfterMinutes: 0 },
      { contact: { method: 'sms', to: phone.to }, sendAfterMinutes: 5 },
    ]);
    expect(await app.notices()).toEqual([]);
  });

  it('says Unchanged to the same body, and then neither writes nor publishes', async () => {
    const app = await testApp();
    await app.put(path, ada);
    const before = await app.stores.users.find({ id });
    expect(await resultOf(app, path, ada)).toBe('Unchanged');
    expect(await app.stores.users.find({ id })).toEqual(before);
    expect(await publishedOn(app.stores, Users.name)).toHaveLength(1);
  });

  it('gives what the body leaves out the value of a created user', async () => {
    const app = await testApp();
    await app.put(path, ada);
    const least = { username: ada.username, fullName: 'Ada', role: { name: 'user' } };
    expect(await resultOf(app, path, least)).toBe('Updated');
    expect(await resultOf(app, path, least)).toBe('Unchanged');
    const { skypeUsername: _, mutedUntil: __, ...read } = (await dataOf(app, `/v2/users/${id}`)) as typeof ada;
    expect(read).toMatchObject({ tags: [], details: {}, timeZone: 'Europe/Rome', locale: 'it_IT' });
    expect(await dataOf(app, `/v2/users/${id}`)).toEqual(read);
    expect(await contactsOf(app)).toMatchObject([{ id: mail.id, to: 'ada@example.com' }]);
  });

  it('keeps the blocks, verifications and devices that a user has here', async () => {
    const app = await testApp();
    await app.put(path, ada);
    await app.stores.users.change({ id }, (user) => ({
      user: { ...user, blocked: true, verified: true },
      answer: undefined,
    }));
    await app.post(`/v2/users/${id}/devices`, { name: 'Phone' });
    expect(await resultOf(app, path, ada)).toBe('Unchanged');
    const changed = { ...ada, contacts: [mail] };
    expect(await resultOf(app, path, changed)).toBe('Updated');
    expect(await contactsOf(app)).toMatchObject([listed(mail), { method: 'mobile' }]);
    expect(await dataOf(app, `/v2/users/${id}`)).toMatchObject({ blocked: true, verified: true });
    const held = (await app.stores.users.find({ id }))?.contacts[1]?.id ?? '';
    await app.stores.users.change({ id }, (user) => ({
      user: {
        ...user,
        contacts: user.contacts.map((each) => (each.id === held ? { ...each, id: importId(99) } : each)),
      },
      answer: undefined,
    }));
    expect((await app.put(path, { ...ada, contacts: [{ ...phone, id: importId(99) }] })).status).toBe(409);
  });

  it('lets steps follow a contact to its new address, and deletes them with their contact', async () => {
    const app = await testApp();
    await app.put(path, ada);
    const moved = { ...mail, to: 'a.lovelace@example.com' };
    await app.put(path, {
      ...ada,
      contacts: [
        { ...mail, id: importId(13) },
        { ...moved, id: mail.id },
      ],
    });
    const steps = async () =>
      (await app.stores.users.find({ id }))?.notificationRules.map(({ steps: each }) =>
        each.map(({ contact }) => contact.to),
      );
    expect(await steps()).toEqual(Array.from({ length: 7 }, () => [moved.to]));
    await app.put(path, { ...ada, contacts: [{ ...mail, id: importId(13) }] });
    expect(await steps()).toEqual(Array.from({ length: 7 }, () => []));
  });

  it('counts a contact as confirmed that was not', async () => {
    const app = await testApp({ confirmation: 'required' });
    await app.put(path, ada);
    await app.post(`/v2/users/${id}/contacts`, { method: 'voice', to: '44-2079460001' });
    const voice = { method: 'voice', to: '44-2079460001', enabled: true };
    expect(await resultOf(app, path, { ...ada, contacts: [mail, phone, voice] })).toBe('Updated');
    expect((await app.stores.users.find({ id }))?.contacts[2]).toEqual({ id: expect.any(String), ...voice });
    expect(await resultOf(app, path, { ...ada, contacts: [mail, phone, voice] })).toBe('Unchanged');
  });

  it('changes a user name, whose verification ends', async () => {
    const app = await testApp();
    await app.put(path, ada);
    await app.stores.users.change({ id }, (user) => ({ user: { ...user, verified: true }, answer: undefined }));
    const renamed = { ...ada, username: 'a.lovelace@example.com' };
    expect(await resultOf(app, path, renamed)).toBe('Updated');
    expect(await dataOf(app, '/v2/users/a.lovelace@example.com')).toMatchObject({ id, verified: false });
    expect((await app.get('/v2/users/ada@example.com')).status).toBe(404);
    expect(await contactsOf(app)).toMatchObject([{ to: 'a.lovelace@example.com' }, listed(mail), listed(phone)]);
  });

  it('refuses a user name that another user has, and names the id of that user', async () => {
    const app = await testApp();
    const ownId = await app.user('ada@example.com');
    expect(await app.put(path, ada)).toMatchObject({
      status: 409,
      body: { message: `User with username [ada@example.com] already exists. Its id is ${ownId}.` },
    });
    expect((await app.get(`/v2/users/${id}`)).status).toBe(404);
    await app.put(path, { ...ada, username: 'bob@example.com' });
    expect((await app.put(path, ada)).status).toBe(409);
  });

  it('refuses the id of a contact of another user, and one address twice', async () => {
    const app = await testApp();
    await app.put(path, ada);
    const bob = { ...ada, username: 'bob@example.com' };
    expect(await app.put(`/v2/imports/users/${other}`, bob)).toMatchObject({
      status: 409,
      body: { message: `The id [${mail.id}] is that of a contact or notification rule of user [ada@example.com].` },
    });
    expect((await app.get(`/v2/users/${other}`)).status).toBe(404);
    const twice = [mail, { ...mail, id: undefined, to: 'ada@example.com' }];
    expect((await app.put(path, { ...ada, contacts: twice })).status).toBe(409);
  });

  it('leaves the last owner one', async () => {
    const app = await testApp();
    const owner = { ...ada, role: { name: 'owner' } };
    await app.put(path, owner);
    expect(await app.put(path, ada)).toMatchObject({ status: 422, body: { errors: { role: expect.any(String) } } });
    expect(await dataOf(app, `/v2/users/${id}`)).toMatchObject({ role: { id: 'owner' } });
    await app.user('bob@example.com', 'owner');
    expect(await resultOf(app, path, ada)).toBe('Updated');
  });

  it.each([
    ['username', { username: 'ada' }],
    ['role.name', { role: {} }],
    ['contacts', { contacts: 'ada@example.com' }],
    ['contacts[0].method', { contacts: [{ ...mail, method: 'mobile' }] }],
    ['contacts[1].to', { contacts: [mail, { ...phone, to: 'no number' }] }],
    ['contacts[0].id', { contacts: [{ ...mail, id: importId(1).toUpperCase() }] }],
    ['contacts[1].id', { contacts: [mail, { ...phone, id: mail.id }] }],
    ['contacts[0].enabled', { contacts: [{ ...mail, enabled: 'perhaps' }] }],
    ['contacts[2].method', { contacts: ['b@c.de', 'c@d.ef', 'd@e.fg'].map((to) => ({ method: 'email', to })) }],
  ])('answers 422 that names %s, and changes nothing', async (field, wrong) => {
    const app = await testApp();
    await app.put(path, ada);
    const before = await app.stores.users.find({ id });
    expect(await refusalOf(app, path, { ...ada, ...wrong })).toEqual([422, [field]]);
    expect(await app.stores.users.find({ id })).toEqual(before);
  });

  it('answers 404 for an unknown role, and 403 to the key of a team', async () => {
    const app = await testApp();
    expect((await app.put(path, { ...ada, role: { name: 'nothing' } })).status).toBe(404);
    expect((await app.put(path, ada, { ...accountKey, teamId: 'team' })).status).toBe(403);
  });

  it('adds the address of the user name, also to two other mail addresses', async () => {
    const app = await testApp();
    const mails = ['a@example.com', 'b@example.com'].map((to) => ({ method: 'email', to, enabled: true }));
    expect(await resultOf(app, path, { ...ada, contacts: mails.slice(0, 1) })).toBe('Created');
    expect(await contactsOf(app)).toMatchObject([{ to: ada.username }, { to: 'a@example.com' }]);
    expect(await resultOf(app, path, { ...ada, contacts: mails.slice(0, 1) })).toBe('Unchanged');
    expect(await resultOf(app, path, { ...ada, contacts: mails })).toBe('Updated');
    expect(await contactsOf(app)).toMatchObject([{ to: ada.username }, ...mails.map(({ to }) => ({ to }))]);
    const last = { method: 'email', to: ada.username, enabled: false };
    expect(await resultOf(app, path, { ...ada, contacts: [...mails, last] })).toBe('Updated');
  });

  it('publishes a user who was deleted again under a later version, and none of their sessions goes on', async () => {
    const app = await testApp();
    await app.put(path, ada);
    const session = { userId: id, tokenHash: 'hash', address: '::1', browser: 'Firefox', createdAt: app.clock.now() };
    await app.stores.sessions.changeSignIn({ username: ada.username }, () => ({
      begun: { id: 'session', ...session, lastUsedAt: session.createdAt, version: { epoch: 1, n: 1 } },
      answer: undefined,
    }));
    expect((await app.remove(`/v2/users/${id}`)).status).toBe(200);
    expect(await resultOf(app, path, ada)).toBe('Created');
    const published = (await publishedOn(app.stores, Users.name)) as { deleted: boolean; version: { n: number } }[];
    expect(published.at(-1)).toMatchObject({ deleted: false, version: { n: 3 }, state: { username: ada.username } });
    expect(await app.stores.sessions.findByTokenHash('hash')).toBeUndefined();
    expect((await publishedOn(app.stores, Sessions.name)).at(-1)).toMatchObject({ id: 'session', deleted: true });
  });

  it.each(POINTS_OF_DEATH)('is done once by a repeat after the process died %j', async (dieAt) => {
    const app = await testApp();
    await importAndDie(app.stores, { dieAt, path, body: ada });
    const isWritten = dieAt.when === 'after' && dieAt.command === 'commitTransaction';
    expect(await resultOf(app, path, ada)).toBe(isWritten ? 'Unchanged' : 'Created');
    // The killed process may have the lease of the relay.
    app.stores.outbox.start();
    await publishAll(app.stores.outbox);
    expect(await publishedOn(app.stores, Users.name)).toMatchObject([{ id, version: { n: 1 } }]);
    expect((await app.stores.users.find({ id }))?.contacts).toEqual([mail, phone]);
  });
});

describe('1000 imports of users by 25 callers at once', () => {
  it('make each user once, of two for one user name the first', async () => {
    const app = await testApp({ newId: randomUUID });
    const answers: { readonly body: unknown; readonly status: number }[] = [];
    const caller = async (lane: number): Promise<void> => {
      // The users of a caller are those of another one too. Users 0 and 499 want one user name.
      for (let n = 0; n < 40; n += 1) {
        const number = (lane * 40 + n) % 500;
        const body = { ...ada, username: `user${number === 499 ? 0 : number}@example.com`, contacts: [] };
        let answer = await app.put(`/v2/imports/users/${importId(number)}`, body);
        // As where a slow machine makes writers wait for too long.
        while (answer.status === 503) answer = await app.put(`/v2/imports/users/${importId(number)}`, body);
        answers.push(answer);
      }
    };
    await Promise.all(Array.from({ length: 25 }, (_, lane) => caller(lane)));
    const results = Map.groupBy(answers, ({ body, status }) =>
      status === 200 ? (body as { readonly result: string }).result : status,
    );
    expect([...results].map(([result, { length }]) => [result, length]).toSorted()).toEqual([
      [409, 2],
      ['Created', 499],
      ['Unchanged', 499],
    ]);
    expect(await app.stores.users.count()).toBe(499);
  });

  it('of two processes too make each user once', async () => {
    const first = await testApp({ newId: randomUUID });
    const second = appOn(await anotherProcess(first.stores), { newId: randomUUID });
    const imports = Array.from({ length: 40 }, (_, n) =>
      resultOf(n % 2 === 0 ? first : second, path, { ...ada, contacts: [mail] }),
    );
    expect((await Promise.all(imports)).toSorted()).toEqual([
      'Created',
      ...Array.from({ length: 39 }, () => 'Unchanged'),
    ]);
  });
});

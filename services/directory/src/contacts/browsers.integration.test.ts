import { createECDH } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { accountKey, type TestApp } from '../testing/app-fixture.ts';
import { ADA, CONTACTS, listed, newAlertSteps, versionOf, withAda } from '../testing/contact-fixture.ts';
import { subscriptionBatch } from '../testing/verification-batch.ts';
import { randomSubscriptionName } from './browser-operations.ts';

const BROWSERS = `/v2/users/${ADA}/browsers`;
const curve = createECDH('prime256v1');
curve.generateKeys();
const keys = { p256dh: curve.getPublicKey('base64url', 'uncompressed'), auth: 'a1B2c3D4e5F6g7H8i9J0kQ' };
const at = (endpoint: string) => ({ name: 'Firefox', subscription: { endpoint, keys } });
const SECRET_FAULT = 'should be the secret of the subscription: 16 bytes as base64url';
const PHONE = at('https://push.example.net/v1/phone');
const LAPTOP = at('https://push.example.net/v1/laptop');

interface Registered {
  readonly id: string;
  readonly to: string;
}

/** The contact of a browser that is registered. */
async function registered(app: TestApp, body: object = PHONE): Promise<Registered> {
  const { status, body: answer } = await app.post(BROWSERS, body);
  expect([status, answer]).toMatchObject([201, { result: 'Created' }]);
  return (answer as { data: Registered }).data;
}

/** Has new alerts pushed to that browser at once. */
async function pushTo(app: TestApp, to: string): Promise<void> {
  const rules = `/v2/users/${ADA}/notification-rules`;
  const [rule] = ((await app.get(rules)).body as { data: { id: string }[] }).data;
  const step = { contact: { method: 'mobile', to }, sendAfter: { timeAmount: 0 }, enabled: true };
  expect((await app.post(`${rules}/${rule?.id ?? ''}/steps`, step)).status).toBe(201);
}

/** The push service says of these subscriptions of Ada that they have ended. */
async function ended(app: TestApp, ...names: readonly string[]): Promise<void> {
  const { id } = await app.directory.users.get(ADA);
  const events = names.map((to) => ({ userId: id, to, at: '2026-01-01T00:00:00.000Z' }));
  offset += events.length;
  expect(await app.stores.endedSubscriptions.process([subscriptionBatch(events, offset)])).toEqual({ outcome: 'done' });
}
let offset = 0;

const contactOf = async (app: TestApp, { id }: Registered) =>
  (await listed(app)).find((contact) => contact['id'] === id);

describe('POST /v2/users/{userIdentifier}/browsers', () => {
  it('makes a contact of method mobile, and no answer has its endpoint or keys', async () => {
    const app = await withAda();
    const answers = [await app.post(BROWSERS, PHONE)];
    const { id, to } = (answers[0]?.body as { data: Registered }).data;
    expect(await contactOf(app, { id, to })).toEqual({
      id,
      method: 'mobile',
      to,
      status: { enabled: true },
      device: { name: 'Firefox', kind: 'web-push', verified: false },
      applyOrder: 1,
    });
    const { id: userId } = await app.directory.users.get(ADA);
    const reads = [CONTACTS, `${CONTACTS}/${id}`, '/v2/users?expand=contact', `/v2/users/${ADA}?expand=contact`];
    for (const path of reads)
      for (const reader of [accountKey, { ...signedIn(), userId }, signedIn({}, { role: 'owner' })])
        answers.push(await app.get(path, reader));
    for (const { body } of answers)
      for (const secret of [PHONE.subscription.endpoint, keys.p256dh, keys.auth])
        expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('publishes what notifier needs to send to it', async () => {
    const app = await withAda();
    const { to } = await registered(app);
    await app.stores.outbox.flush();
    const states = app.stores.publisher.published.filter(({ topic }) => topic === 'users.v1');
    expect(states.at(-1)?.message).toMatchObject({
      state: { contacts: [{}, { to, subscription: { endpoint: PHONE.subscription.endpoint, ...keys } }] },
    });
  });

  it('is one contact however often a browser sends one subscription, also at once', async () => {
    const app = await withAda();
    const first = await registered(app);
    const version = await versionOf(app);
    expect(await Promise.all(Array.from({ length: 4 }, () => registered(app)))).toEqual(Array(4).fill(first));
    expect(await versionOf(app)).toBe(version);
  });

  it('gives a contact another subscription, with which its steps go on', async () => {
    const app = await withAda();
    const first = await registered(app);
    await pushTo(app, first.to);
    const second = await registered(app, { ...LAPTOP, replaces: first.id });
    expect([second.id, second.to === first.to]).toEqual([first.id, false]);
    const steps = await newAlertSteps(app);
    expect(steps).toContainEqual(['mobile', second.to, 0]);
    expect(steps).not.toContainEqual(['mobile', first.to, 0]);
    expect((await listed(app)).filter(({ method }) => method === 'mobile')).toHaveLength(1);
  });

  it('takes five devices and browsers together, and replaces one of five', async () => {
    const app = await withAda();
    for (const name of ['Phone', 'Tablet', 'Watch', 'Wall'])
      expect((await app.post(`/v2/users/${ADA}/devices`, { name })).status).toBe(201);
    const { id } = await registered(app);
    const sixth = await app.post(BROWSERS, LAPTOP);
    expect([sixth.status, sixth.body]).toMatchObject([
      422,
      { message: 'The user has 5 devices already, which is the most.' },
    ]);
    expect((await registered(app, { ...LAPTOP, replaces: id })).id).toBe(id);
  });

  it.each([
    ['http://push.example.net/v1/x', 'should begin with https://'],
    ['https://10.0.0.7/x', 'is refused: 10.0.0.7 is a private address'],
    ['https://[::1]/x', 'is refused: ::1 is a loopback address'],
    ['https://[::ffff:169.254.169.254]/x', 'is refused: 169.254.169.254 is a metadata address'],
    ['https://127.0.0.2/x', 'is refused: 127.0.0.2 is a loopback address'],
    ['http://8.8.8.8/x', 'should begin with https://'],
    ['https://localhost/x', 'is refused: the name is not public'],
    ['https://metadata.google.internal/x', 'is refused: the name is not public'],
    ['https://u:p@push.example.net/x', 'is refused: the URL carries a user name or a password'],
    ['ftp://push.example.net/x', 'should be the address of a push service'],
    [`https://push.example.net/${'x'.repeat(1_000)}`, 'should be at most 1000 characters'],
  ])('answers 422 to the endpoint %s, and changes nothing', async (endpoint, sentence) => {
    const app = await withAda();
    const { status, body } = await app.post(BROWSERS, at(endpoint));
    expect([status, body]).toMatchObject([422, { errors: { 'subscription.endpoint': sentence } }]);
    expect(await versionOf(app)).toBe(1);
  });

  it('takes a push service of the own network in the clear where a setting allows its address', async () => {
    const app = await withAda();
    expect((await app.post(BROWSERS, at('http://127.0.0.1:8099/push/x'))).status).toBe(201);
  });

  it.each([
    [{ p256dh: 'A'.repeat(87) }, 'subscription.keys.p256dh', 'should be a point of the curve P-256'],
    [
      { p256dh: 'short' },
      'subscription.keys.p256dh',
      'should be the public key of the subscription: 65 bytes as base64url',
    ],
    [{ auth: `${keys.auth}A` }, 'subscription.keys.auth', SECRET_FAULT],
    [{ auth: 7 }, 'subscription.keys.auth', SECRET_FAULT],
  ])('answers 422 to the keys %j', async (change, field, sentence) => {
    const app = await withAda();
    const subscription = { ...PHONE.subscription, keys: { ...keys, ...change } };
    const { status, body } = await app.post(BROWSERS, { ...PHONE, subscription });
    expect([status, body]).toMatchObject([422, { errors: { [field]: sentence } }]);
    expect(await versionOf(app)).toBe(1);
  });

  it('replaces no mail contact, no device and no contact of another user', async () => {
    const app = await withAda();
    const { body } = await app.post(`/v2/users/${ADA}/devices`, { name: 'Phone' });
    const [mail] = await listed(app);
    for (const replaces of [mail?.['id'], (body as { data: Registered }).data.id, 'unknown'])
      expect(await app.post(BROWSERS, { ...PHONE, replaces })).toMatchObject({
        status: 422,
        body: { errors: { replaces: 'should be the id of the contact of a browser of the user' } },
      });
  });
});

describe('a subscription that has ended', () => {
  it('is not used any more, and its user gets one mail, however often that is said', async () => {
    const app = await withAda();
    const browser = await registered(app);
    await ended(app, browser.to, browser.to);
    await ended(app, browser.to);
    expect(await contactOf(app, browser)).toMatchObject({
      status: { enabled: true, disabledReason: 'The browser is no longer subscribed to push messages.' },
    });
    expect((await app.notices()).filter(({ kind }) => kind === 'subscription-ended')).toEqual([
      {
        kind: 'subscription-ended',
        noticeId: `ended:${browser.to}`,
        userId: (await app.directory.users.get(ADA)).id,
        username: ADA,
        to: ADA,
        deviceName: 'Firefox',
        at: '2026-01-02T00:00:00.000Z',
      },
    ]);
    const states = app.stores.publisher.published.filter(({ topic }) => topic === 'users.v1');
    expect(states.at(-1)?.message).toMatchObject({ state: { contacts: [{}, { subscriptionEnded: true }] } });
    expect(JSON.stringify(states.at(-1))).not.toContain(PHONE.subscription.endpoint);
  });

  it('ends no newer one of the same browser, also where that is said late', async () => {
    const app = await withAda();
    const first = await registered(app);
    const second = await registered(app, { ...LAPTOP, replaces: first.id });
    await ended(app, first.to);
    expect((await contactOf(app, second))?.['status']).toEqual({ enabled: true });
    expect(await app.notices()).toEqual([]);
  });

  it('begins again where its browser subscribes again, with its steps', async () => {
    const app = await withAda();
    const first = await registered(app);
    await pushTo(app, first.to);
    await ended(app, first.to);
    const again = await registered(app, { ...LAPTOP, replaces: first.id });
    expect((await contactOf(app, again))?.['status']).toEqual({ enabled: true });
    expect(await newAlertSteps(app)).toContainEqual(['mobile', again.to, 0]);
  });

  it('says nothing of a browser whose contact was deleted', async () => {
    const app = await withAda();
    const { id, to } = await registered(app);
    expect((await app.remove(`${CONTACTS}/${id}`)).status).toBe(200);
    const version = await versionOf(app);
    await ended(app, to, 'topic-of-a-device');
    expect([await versionOf(app), await app.notices()]).toEqual([version, []]);
  });
});

it('the name of a subscription is another each time', () => {
  const names = Array.from({ length: 100 }, randomSubscriptionName);
  for (const name of names) expect(name).toMatch(/^browser-[-\w]{24}$/);
  expect(new Set(names).size).toBe(100);
});

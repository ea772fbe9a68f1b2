import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LinkSigner } from '@tocsin/http';
import { collectionOf } from '@tocsin/mongo';
import { OPENID_CLIENT, OpenIdDouble } from '@tocsin/testkit';
import { appOn, testApp, type TestApp } from '../testing/app-fixture.ts';
import { anotherProcess } from '../testing/mongo-fixture.ts';
import { ADA, Browser } from '../testing/session-fixture.ts';
import { KnownBrowsers } from './known-browser.ts';
import { OpenIdClient } from './openid-client.ts';
import { type OpenIdProvider, OpenIdSignIns } from './openid-operations.ts';

const PATH = '/console/api/sign-in/openid';
const MINUTE = 60_000;
const provider = new OpenIdDouble();
const warnings: unknown[] = [];
let app: TestApp;
let browser: Browser;
let adaId: string;

beforeAll(() => provider.start());
afterAll(() => provider.stop());

beforeEach(async () => {
  app = await testApp({ openId: openId() });
  adaId = await app.user(ADA);
  browser = new Browser(app);
});

afterEach(() => {
  provider.instead = undefined;
  provider.userInfo = undefined;
  warnings.length = 0;
});

/** A client of the double, which knows nothing of it yet. */
function openId(
  change: { readonly timeoutMs?: number; readonly allowedRanges?: readonly string[] } = {},
): OpenIdProvider {
  const client = new OpenIdClient({
    settings: { issuer: provider.issuer, ...OPENID_CLIENT },
    allowedRanges: ['127.0.0.1'],
    log: { warn: (fields, message) => void warnings.push({ ...fields, message }) },
    ...change,
  });
  return { client, domains: ['example.com', 'example.org'], host: 'login.example.com' };
}

type Claims = Parameters<OpenIdDouble['authorized']>[1];
const bodyOf = ({ body }: { readonly body: unknown }) =>
  body as { message?: string; data?: { url: string }; errors?: Record<string, string> };

/** The address at the provider to which the page leads the browser. */
async function begun(of = browser): Promise<string> {
  const response = await of.send('post', PATH);
  expect(response.status).toBe(200);
  return bodyOf(response).data?.url ?? '';
}

const redeem = (answer: object, of = browser) => of.send('post', `${PATH}/redeem`, answer);
const signIn = async (claims?: Claims) => redeem(provider.authorized(await begun(), claims));
const sessions = () => collectionOf(app.stores.connection, 'sessions').countDocuments();

type Response = Awaited<ReturnType<typeof redeem>>;
const fieldsOf = (response: Response) => ({
  status: response.status,
  fields: Object.keys(bodyOf(response).errors ?? {}),
});
const refusedFor = (field: 'code' | 'state') => ({ status: 422, fields: [field] });

describe('a sign-in by OpenID Connect (K25)', () => {
  it('leads to the provider with PKCE, state and nonce, and back to a session of the user with that address', async () => {
    const url = new URL(await begun());
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'tocsin',
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: 'https://tocsin.example.com/console/sign-in/openid',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const response = await redeem({ ...provider.authorized(url.href), iss: provider.issuer });
    expect(response).toMatchObject({
      status: 200,
      body: { result: 'Signed in', data: { expiresAt: '2026-01-08T00:00:00Z' } },
    });
    expect(browser.set).toEqual([
      expect.stringMatching(/^__Host-tocsin-flow=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=600$/),
      expect.stringMatching(
        /^__Host-tocsin-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=2592000$/,
      ),
      expect.stringMatching(/^__Host-tocsin-browser=/),
    ]);
    const session = await browser.send('get', '/console/api/session');
    expect(session.body).toMatchObject({ data: { user: { id: adaId, username: ADA } } });
    expect(warnings).toEqual([]);
  });

  it('stores no secret with which a reader of the database could sign in', async () => {
    const { searchParams } = new URL(await begun());
    const stored = JSON.stringify(await collectionOf(app.stores.connection, 'openid_flows').find().toArray());
    const secrets = ['state', 'nonce'].map((name) => searchParams.get(name) ?? '');
    for (const secret of [...secrets, browser.cookies.get('__Host-tocsin-flow') ?? ''])
      expect(stored).not.toContain(secret);
  });

  it('is ended by another process than the one in which it began', async () => {
    const answer = provider.authorized(await begun());
    const other = new Browser(appOn(await anotherProcess(app.stores), { openId: openId(), newId: () => 'a-session' }));
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    expect((await redeem(answer, other)).status).toBe(200);
  });

  it('reads the address from the user info endpoint where the ID token has none', async () => {
    provider.userInfo = { sub: 'ada', email: ADA, email_verified: true };
    expect((await signIn({ email: undefined, email_verified: undefined })).status).toBe(200);
    provider.userInfo = { sub: 'mallory', email: ADA, email_verified: true };
    expect((await signIn({ email: undefined, email_verified: undefined })).status).toBe(422);
  });

  const past = Math.floor(Date.now() / 1_000) - 3_600;
  it.each<[string, Claims]>([
    ['of another issuer', { iss: 'https://mallory.example.com' }],
    ['for another client', { aud: 'another' }],
    ['with another nonce', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['that has expired', { iat: past, exp: past + 300 }],
    ['without a subject', { sub: undefined }],
  ])('is refused with an ID token %s', async (_, claims) => {
    expect(fieldsOf(await signIn(claims))).toEqual(refusedFor('code'));
    expect(warnings).toHaveLength(1);
    expect(await sessions()).toBe(0);
  });

  it('is refused with an ID token that another key signed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    expect(fieldsOf(await redeem(provider.authorized(await begun(), {}, privateKey)))).toEqual(refusedFor('code'));
  });

  it('is refused with the issuer of another provider', async () => {
    const answer = provider.authorized(await begun());
    expect(fieldsOf(await redeem({ ...answer, iss: 'https://mallory.example.com' }))).toEqual(refusedFor('code'));
  });

  it.each<[string, Claims, string]>([
    ['that the provider has not verified', { email_verified: false }, 'has not verified'],
    ['of which the provider does not say whether it is verified', { email_verified: undefined }, 'has not verified'],
    ['that it does not give', { email: undefined }, 'gave no mail address'],
    ['of which lower case makes that of a user', { email: '\u212Aate@example.com' }, 'all of them ASCII'],
    ['of another domain', { email: 'ada@example.com.mallory.example' }, 'example.com.mallory.example'],
    ['whose domain stands in its other part', { email: '"ada@example.com"@mallory.example' }, 'mallory.example'],
  ])('is refused with an address %s', async (_, claims, message) => {
    await app.user('kate@example.com');
    const response = await signIn(claims);
    expect(response.status).toBe(403);
    expect(bodyOf(response).message).toContain(message);
    expect(await sessions()).toBe(0);
  });

  it('is refused with the same words where there is no such user and where they are blocked, and makes no user', async () => {
    const unknown = await signIn({ email: 'grace@example.org' });
    await collectionOf<{ _id: string }>(app.stores.connection, 'users').updateOne(
      { _id: adaId },
      { $set: { blocked: true } },
    );
    const blocked = await signIn({ email: ADA });
    expect([unknown.status, blocked.status]).toEqual([403, 403]);
    expect(bodyOf(unknown).message).toBe(bodyOf(blocked).message?.replace(ADA, 'grace@example.org'));
    expect(await sessions()).toBe(0);
    expect((await app.get('/v2/users/grace@example.org')).status).toBe(404);
  });

  it('ends by the first attempt: neither the same answer nor another code signs in again', async () => {
    const url = await begun();
    const answer = provider.authorized(url);
    expect((await redeem(answer)).status).toBe(200);
    for (const again of [answer, provider.authorized(url)]) {
      expect(fieldsOf(await redeem(again))).toEqual(refusedFor('state'));
    }
    expect(await sessions()).toBe(1);
  });

  it('is refused with a code that was redeemed in another sign-in', async () => {
    const { code } = provider.authorized(await begun());
    const { state } = provider.authorized(await begun());
    expect(fieldsOf(await redeem({ code, state }))).toEqual(refusedFor('code'));
  });

  it('is refused in another browser, in one without a sign-in, and with another state', async () => {
    const other = new Browser(app);
    await begun(other);
    const answer = provider.authorized(await begun());
    expect(fieldsOf(await redeem(answer, other))).toEqual(refusedFor('state'));
    expect(fieldsOf(await redeem(answer, new Browser(app)))).toEqual(refusedFor('state'));
    expect(fieldsOf(await redeem({ ...answer, state: 'another' }))).toEqual(refusedFor('state'));
    expect((await redeem(answer)).status).toBe(200);
  });

  it('is refused ten minutes after it began, and then removed', async () => {
    const answer = provider.authorized(await begun());
    app.clock.advance(10 * MINUTE);
    expect(fieldsOf(await redeem(answer))).toEqual(refusedFor('state'));
    await begun();
    app.clock.advance(10 * MINUTE);
    await app.stores.openIdFlows.removeExpired(app.clock.now());
    expect(await collectionOf(app.stores.connection, 'openid_flows').countDocuments()).toBe(0);
  });

  it.each([
    [
      'fails',
      (response: ServerResponse) => {
        response.writeHead(500).end();
      },
    ],
    [
      'answers without end',
      (response: ServerResponse) => {
        response.write('x'.repeat(300_000));
      },
    ],
    ['does not answer', () => undefined],
  ])('is answered 503 while the provider %s, and goes on afterwards', async (_, instead) => {
    const slow = new Browser(appOn(app.stores, { openId: openId({ timeoutMs: 300 }) }));
    provider.instead = instead;
    const response = await slow.send('post', PATH);
    expect({ status: response.status, after: response.headers['retry-after'] }).toEqual({ status: 503, after: '1' });
    expect(bodyOf(response).message).toContain('OpenID provider does not answer');
    provider.instead = undefined;
    const answer = provider.authorized(await begun());
    provider.instead = instead;
    const patient = new Browser(appOn(app.stores, { openId: openId({ timeoutMs: 300 }) }));
    for (const [name, value] of browser.cookies) patient.cookies.set(name, value);
    expect((await redeem(answer, patient)).status).toBe(503);
    expect(await sessions()).toBe(0);
  });

  it('is refused at once while sixteen of one address wait for the provider, and of another address goes on', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<string>();
    const client = {
      ...openId(),
      client: { authorizationUrl: () => held, personOf: () => Promise.resolve(undefined) },
    };
    const { openIdSignIns } = appOn(app.stores, { openId: client }).directory;
    const begin = (address: string) =>
      openIdSignIns.begin({ redirectUrl: 'https://tocsin.example.com/', address, browser: undefined });
    const waiting = Array.from({ length: 16 }, () => begin('192.0.2.7'));
    await expect(begin('192.0.2.7')).rejects.toMatchObject({ code: 'unavailable' });
    waiting.push(begin('192.0.2.8'));
    release('https://login.example.com/authorize');
    expect(await Promise.all(waiting)).toHaveLength(17);
    expect(await begin('192.0.2.7')).toMatchObject({ url: 'https://login.example.com/authorize' });
  });

  it('is refused with 429 where more begin than the rate of a network or of all strangers allows; known browsers can still begin, and all can end', async () => {
    const client = {
      authorizationUrl: () => Promise.resolve('https://login.example.com/authorize'),
      personOf: () => Promise.resolve(undefined),
    };
    let nowMs = 0;
    const knownBrowsers = new KnownBrowsers(new LinkSigner(['a signing key'], 'browser'));
    const signIns = new OpenIdSignIns({
      openId: { ...openId(), client },
      knownBrowsers,
      openIdFlows: { add: () => Promise.resolve(), take: () => Promise.resolve(undefined) },
      signIns: app.directory.signIns,
      clock: app.clock,
      newToken: () => 'a token',
      monotonicMs: () => nowMs,
    });
    const url = 'https://tocsin.example.com/';
    const begin = (address: string, browser?: string) => signIns.begin({ redirectUrl: url, address, browser });
    const begunFrom = async (address: string, count: number) => {
      const sent = Array.from({ length: count }, () => begin(address));
      return (await Promise.allSettled(sent)).filter(({ status }) => status === 'fulfilled').length;
    };
    const oneByOne = async (addressOf: (index: number) => string, count: number) => {
      let begins = 0;
      for (let index = 0; index < count; index += 1) begins += await begunFrom(addressOf(index), 1);
      return begins;
    };
    expect(await oneByOne((index) => `2001:db8:1:${index}::1`, 60)).toBe(40);
    await expect(begin('2001:db8:1::1')).rejects.toMatchObject({
      code: 'throttled',
      throttling: { reason: 'ADDRESS', periodSeconds: 1, retryAfterSeconds: 1 },
    });
    expect(await oneByOne((index) => `192.0.2.${index}`, 200)).toBe(160);
    await expect(begin('192.0.2.250', 'a forged cookie')).rejects.toMatchObject({ code: 'throttled' });
    const known = knownBrowsers.cookieOf(adaId, 'b'.repeat(43), app.clock.now());
    for (let index = 0; index < 40; index += 1) expect(await begin('2001:db8:1::1', known)).toBeDefined();
    await expect(begin('192.0.2.251', known)).rejects.toMatchObject({ code: 'throttled' });
    await expect(
      begin('192.0.2.252', knownBrowsers.cookieOf(adaId, 'c'.repeat(43), app.clock.now())),
    ).rejects.toThrow();
    const another = knownBrowsers.cookieOf('another-user', 'd'.repeat(43), app.clock.now());
    expect(await begin('2001:db8:1::1', another)).toBeDefined();
    const answer = { code: 'x', state: 'x' };
    const ended = signIns.redeem({
      answer,
      flow: undefined,
      browser: undefined,
      redirectUrl: url,
      address: '192.0.2.7',
      userAgent: undefined,
    });
    await expect(ended).rejects.toMatchObject({ code: 'invalid' });
    nowMs = 500;
    expect(await oneByOne((index) => `192.0.2.${index}`, 200)).toBe(10);
  });

  it('asks no provider at an address that the settings do not allow', async () => {
    const guarded = new Browser(appOn(app.stores, { openId: openId({ allowedRanges: [] }) }));
    expect((await guarded.send('post', PATH)).status).toBe(503);
    expect(warnings).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: '127.0.0.1 is a loopback address' }) }),
    ]);
  });

  it.each([
    ['without a code and a state', {}],
    ['without a state', { code: 'x' }],
    ['with an empty code', { code: '', state: 'x' }],
    ['with a code that is too long', { code: 'x'.repeat(4_097), state: 'x' }],
    ['with a number as its state', { code: 'x', state: 1 }],
  ])('is refused %s', async (_, body) => {
    await begun();
    expect((await redeem(body)).status).toBe(422);
  });

  it('is not offered where the installation has no provider, which a page can ask', async () => {
    const data = { ways: ['code', 'openid'], provider: 'login.example.com' };
    expect((await browser.send('get', '/console/api/sign-in')).body).toMatchObject({ data });
    const without = new Browser(appOn(app.stores));
    expect((await without.send('get', '/console/api/sign-in')).body).toMatchObject({ data: { ways: ['code'] } });
    const refusals = [await without.send('post', PATH), await redeem({ code: 'x', state: 'x' }, without)];
    for (const response of refusals) {
      expect(response.status).toBe(404);
      expect(bodyOf(response).message).toContain('OPENID_ISSUER');
    }
  });

  it('needs https elsewhere than on this machine (K22)', async () => {
    const plain = new Browser(app, 'http://tocsin.example.com');
    const answers = [
      await plain.send('get', '/console/api/sign-in'),
      await plain.send('post', PATH),
      await redeem({ code: 'x', state: 'x' }, plain),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

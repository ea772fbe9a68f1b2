import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OPENID_CLIENT } from '@tocsin/testkit';
import { Provider } from 'oidc-provider';
import { testApp } from '../testing/app-fixture.ts';
import { ADA, Browser } from '../testing/session-fixture.ts';
import { OpenIdClient } from './openid-client.ts';

const PAGE = 'https://tocsin.example.com/console/sign-in/openid';
let server: Server;
let issuer: string;

beforeAll(async () => {
  // It writes of each default that a provider in use would change.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: OPENID_CLIENT.clientId, client_secret: OPENID_CLIENT.clientSecret, redirect_uris: [PAGE] }],
    claims: { email: ['email', 'email_verified'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: accountId, email_verified: true }),
    }),
    cookies: { keys: ['a key of the cookies of the provider'] },
    pkce: { required: () => true },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
});

afterAll(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Form = Readonly<Record<string, string>>;

/** The browser of a person at the provider. */
class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows redirects, and fills in each page with the next of `forms`, until one leads back to the console. */
  async signIn(start: string, forms: readonly Form[]): Promise<URL> {
    let url = await this.#followed(new URL(start));
    for (const form of forms) url = await this.#followed(url, form);
    return url;
  }

  /** Where redirects lead: a page, or the console. */
  async #followed(from: URL, form?: Form): Promise<URL> {
    const next = await this.#ask(from, form);
    return next === undefined || next.href.startsWith(PAGE) ? (next ?? from) : this.#followed(next);
  }

  /** Where the answer leads; undefined where it is a page. */
  async #ask(url: URL, form?: Form): Promise<URL | undefined> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    await response.body?.cancel();
    const location = response.headers.get('location');
    return location === null ? undefined : new URL(location, url);
  }
}

describe('a sign-in by OpenID Connect at a provider that others have written (K25)', () => {
  it('begins a session, and does so once', async () => {
    const client = new OpenIdClient({
      settings: { issuer, ...OPENID_CLIENT },
      allowedRanges: ['127.0.0.1'],
      log: {
        warn: (fields, message) => {
          throw new Error(message, { cause: fields['err'] });
        },
      },
    });
    const app = await testApp({ openId: { client, domains: ['example.com'], host: 'login.example.com' } });
    await app.user(ADA);
    const browser = new Browser(app);
    const begun = await browser.send('post', '/console/api/sign-in/openid');
    const { url } = (begun.body as { data: { url: string } }).data;

    const back = await new ProviderBrowser().signIn(url, [
      { prompt: 'login', login: ADA, password: 'any' },
      { prompt: 'consent' },
    ]);
    const answer = Object.fromEntries(back.searchParams);
    expect(answer).toEqual({ code: expect.any(String), state: expect.any(String), iss: issuer });

    const redeem = () => browser.send('post', '/console/api/sign-in/openid/redeem', answer);
    expect((await redeem()).status).toBe(200);
    const session = await browser.send('get', '/console/api/session');
    expect(session.body).toMatchObject({ data: { user: { username: ADA } } });
    expect((await redeem()).status).toBe(422);
  });
});

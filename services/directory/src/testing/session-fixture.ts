import supertest from 'supertest';
import type { SignInNotice } from '@tocsin/events';
import type { UserPrincipal } from '@tocsin/http';
import { testApp, type TestApp } from './app-fixture.ts';

export const ADA = 'ada@example.com';
const GATEWAY = { service: 'gateway' } as const;
/** Directory identifies the user by the cookie. */
export const PERSON: UserPrincipal = { kind: 'user', userId: 'ada', username: ADA, role: 'user', teams: [] };

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** One browser with its cookies. */
export class Browser {
  readonly #app: TestApp;
  readonly #url: string;
  readonly #address: string;
  readonly cookies = new Map<string, string>();
  /** The cookies as they were set, oldest first. */
  readonly set: string[] = [];

  constructor(app: TestApp, url = 'https://tocsin.example.com', address = '192.0.2.7') {
    this.#app = app;
    this.#url = url;
    this.#address = address;
  }

  /** The headers that the gateway forwards for a request of this browser. */
  get headers(): Readonly<Record<string, string>> {
    return {
      Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'X-Tocsin-Public-Url': this.#url,
      'X-Forwarded-For': this.#address,
      'User-Agent': FIREFOX,
    };
  }

  ask(username = ADA): Promise<supertest.Response> {
    return this.send('post', '/console/api/sign-in', { username });
  }

  redeem(code: string): Promise<supertest.Response> {
    return this.send('post', '/console/api/sign-in/redeem', { code });
  }

  /** Asks for a code and redeems the one in the mail. */
  async signIn(username = ADA): Promise<supertest.Response> {
    await this.ask(username);
    return this.redeem(await latestCode(this.#app));
  }

  async send(method: 'get' | 'post' | 'delete', path: string, body?: object): Promise<supertest.Response> {
    const caller = path.startsWith('/console/api/sign-in') ? GATEWAY : PERSON;
    const request = supertest(this.#app.app)
      [method](path)
      .set(await this.#app.vouched(caller))
      .set(this.headers);
    const response = await (body === undefined ? request : request.send(body));
    for (const cookie of (response.headers['set-cookie'] ?? []) as unknown as string[]) this.#keep(cookie);
    return response;
  }

  #keep(cookie: string): void {
    this.set.push(cookie);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The app with Ada as a user. */
export async function withAda(
  given?: Parameters<typeof testApp>[0],
): Promise<{ readonly app: TestApp; readonly adaId: string; readonly browser: Browser }> {
  const app = await testApp(given);
  const adaId = await app.user(ADA);
  return { app, adaId, browser: new Browser(app) };
}

/** The notices with codes to sign in, oldest first. */
export async function signInNotices(app: TestApp): Promise<readonly SignInNotice[]> {
  return (await app.notices()).filter((notice) => notice.kind === 'sign-in');
}

export async function latestCode(app: TestApp): Promise<string> {
  return (await signInNotices(app)).at(-1)?.code ?? '';
}

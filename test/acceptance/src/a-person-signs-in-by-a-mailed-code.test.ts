import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, eventually, OPENID_CLIENT, OpenIdDouble, type Scenario, startMessageGateway } from '@tocsin/testkit';
import { repeatWhile503 } from './system/api.ts';
import { useSystem } from './system/system.ts';

const receiver = await startMessageGateway();
const provider = new OpenIdDouble();
await provider.start();
const system = useSystem({
  WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
  OPENID_ISSUER: provider.issuer,
  OPENID_CLIENT_ID: OPENID_CLIENT.clientId,
  OPENID_CLIENT_SECRET: OPENID_CLIENT.clientSecret,
  OPENID_DOMAINS: 'example.com',
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
});
let scenario: Scenario;
let ada: string;

afterAll(async () => {
  await Promise.all([receiver.stop(), provider.stop()]);
});

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
});

interface Answer {
  readonly status: number;
  readonly body: { readonly data?: Record<string, unknown>; readonly errors?: { readonly code?: string } };
}

/** A browser on this machine: it keeps cookies, and says of each request that a page of the installation sends it. */
class Browser {
  readonly #cookies = new Map<string, string>();

  send(method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}): Promise<Answer> {
    return repeatWhile503(() => this.#send(method, path, body));
  }

  async #send(method: string, path: string, body: object): Promise<Answer> {
    const response = await fetch(`${system.api.url}${path}`, {
      method,
      headers: {
        Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        'X-Tocsin-Console': '1',
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  /** The events of the stream of changes so far, and its end. */
  async follow(): Promise<{ readonly events: () => string; readonly end: Promise<void> }> {
    const body = await eventually(async () => {
      const { body: stream, status } = await fetch(`${system.api.url}/console/api/changes`, {
        headers: { Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      if (status === 200) return stream;
      await stream?.cancel();
      throw new Error(`The stream of changes was refused with ${status}.`);
    });
    let events = '';
    const read = async () => {
      for await (const piece of body ?? []) events += Buffer.from(piece).toString();
    };
    return { events: () => events, end: read() };
  }

  ask(): Promise<Answer> {
    return this.send('POST', '/console/api/sign-in', { username: ada });
  }

  redeem(code: string): Promise<Answer> {
    return this.send('POST', '/console/api/sign-in/redeem', { code });
  }
}

async function mailedCode(): Promise<string> {
  await system.settle();
  const { text } = await system.mailbox.received(ada, 'code to sign in', { timeoutMs: 0 });
  expect(text).toContain('Asked for with: Firefox on Linux\nFrom the address: 127.0.0.1\n');
  return /^\d{4} \d{4}$/m.exec(text)?.[0] ?? '';
}

async function signedIn(): Promise<Browser> {
  const browser = new Browser();
  expect((await browser.ask()).status).toBe(202);
  expect((await browser.redeem(await mailedCode())).status).toBe(200);
  return browser;
}

const isRefused = (browser: Browser) =>
  eventually(async () => {
    expect((await browser.send('GET', '/console/api/session')).status).toBe(401);
  });

describe('a person', () => {
  it('signs in by the code in a mail, in the browser that asked, sees their sessions, and signs out (K20, K21)', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    expect((await browser.ask()).status).toBe(202);
    const code = await mailedCode();
    expect((await other.redeem(code)).status).toBe(422);
    expect((await browser.redeem(code)).status).toBe(200);
    expect((await browser.redeem(code)).status).toBe(422);
    expect((await browser.send('GET', '/console/api/session')).body.data).toMatchObject({ user: { username: ada } });
    const phone = await signedIn();
    const { data } = (await browser.send('GET', '/console/api/sessions')).body;
    const listed = data as unknown as { id: string; isCurrent: boolean }[];
    expect(listed).toHaveLength(2);
    const others = listed.filter(({ isCurrent }) => !isCurrent);
    expect(others).toHaveLength(1);
    expect((await browser.send('DELETE', `/console/api/sessions/${others[0]?.id ?? ''}`)).status).toBe(200);
    await isRefused(phone);
    expect((await browser.send('POST', '/console/api/sign-out')).status).toBe(200);
    await isRefused(browser);
  });

  it('signs in by OpenID Connect, where the settings name a provider (K25)', async () => {
    await system.api.create('/v2/users', {
      username: 'grace@example.com',
      fullName: 'Grace',
      role: { name: 'user' },
      invitationDisabled: true,
    });
    const browser = new Browser();
    const { body } = await browser.send('GET', '/console/api/sign-in');
    expect(body.data).toEqual({ ways: ['code', 'openid'], provider: new URL(provider.issuer).host });
    const begun = await browser.send('POST', '/console/api/sign-in/openid');
    const answer = provider.authorized(String(begun.body.data?.['url']), { email: 'grace@example.com' });
    expect((await browser.send('POST', '/console/api/sign-in/openid/redeem', answer)).status).toBe(200);
    expect((await browser.send('GET', '/console/api/session')).body.data).toMatchObject({
      user: { username: 'grace@example.com' },
    });
  });

  it('can not use a code after five wrong guesses', async () => {
    const browser = new Browser();
    await browser.ask();
    const code = await mailedCode();
    const wrong = code === '0000 0000' ? '0000 0001' : '0000 0000';
    for (let guess = 0; guess < 5; guess += 1) expect((await browser.redeem(wrong)).status).toBe(422);
    expect((await browser.redeem(code)).body.errors?.code).toContain('guessed at too often');
  });

  it('has no session any more once they are deleted', async () => {
    const browser = await signedIn();
    expect((await browser.send('GET', '/console/api/session')).status).toBe(200);
    await system.api.expect(200, 'DELETE', `/v2/users/${ada}`);
    await isRefused(browser);
  });

  it('follows what changes, by id, until they sign out (L1)', async () => {
    const browser = await signedIn();
    const { end, events } = await browser.follow();
    await eventually(() => {
      expect(events()).toContain('event: ready');
    });
    const alias = scenario.name('disk');
    const { id: userId } = await system.api.read<{ id: string }>(`/v2/users/${ada}`);
    await system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { fullName: 'Ada King' });
    await scenario.alert({ alias, message: 'Disk full', responders: [{ type: 'user', username: ada }] });
    const { id: alertId } = await system.api.read<{ id: string }>(byAlias(alias));
    await eventually(() => {
      expect(events()).toContain(`{"id":"${userId}"`);
      expect(events()).toContain(`{"id":"${alertId}"`);
    });
    await system.mailed(ada, 'Disk full');
    expect(events()).not.toMatch(/King|Disk/);
    expect((await browser.send('POST', '/console/api/sign-out')).status).toBe(200);
    await end;
  });

  it('acknowledges an alert in their own name, whatever `user` the request gives (K13)', async () => {
    const [alias, hook] = [scenario.name('disk'), scenario.name('Hook')];
    await scenario.usersWithAllRules('grace');
    await system.api.create('/v2/integrations', {
      type: 'Webhook',
      name: hook,
      url: `${receiver.url}/hook`,
      sendAlertActions: true,
      alertActions: ['Acknowledge'],
    });
    await scenario.alert({
      alias,
      message: 'Disk full',
      responders: [{ type: 'user', username: scenario.address('grace') }],
    });
    await system.mailed(scenario.address('grace'), 'Disk full');
    const browser = await signedIn();

    const answer = await browser.send('POST', byAlias(alias, '/acknowledge'), { user: 'mallory', source: 'a page' });
    expect(answer.status).toBe(202);
    await system.settle();

    const logs = await system.api.read<readonly { log: string; owner: string }[]>(byAlias(alias, '/logs'));
    expect(logs.filter(({ log }) => log.includes('acknowledged'))).toEqual([expect.objectContaining({ owner: ada })]);
    await system.mailed(scenario.address('grace'), `acknowledged by ${ada}`);
    expect(JSON.parse(receiver.unexpected()[0]?.body ?? '{}')).toMatchObject({
      action: 'Acknowledge',
      integrationName: hook,
      alert: { username: ada },
    });
    expect(JSON.stringify([logs, receiver.unexpected()])).not.toContain('mallory');
  });
});

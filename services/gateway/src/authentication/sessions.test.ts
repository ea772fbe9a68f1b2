import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { hashSessionToken, PRINCIPAL_HEADER, PrincipalVerifier } from '@tocsin/http';
import { ada, clock, key, SIGNING_KEY, Stage } from '../testing/stage.ts';
import { cookiesOf } from './console-guard.ts';
import { Sessions } from './sessions.ts';

const TOKEN = 'a'.repeat(43);
const PUBLIC_URL = 'https://tocsin.example.com';
const COOKIE = `__Host-tocsin-session=${TOKEN}`;
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin', 'X-Tocsin-Console': '1' };
const WHO_AM_I = '/console/api/session';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
  stage.users.put('ada', ada);
  stage.sessions.put('s1', session());
});

afterEach(() => stage.stop());

const session = (changes: { lastUsedAt?: string; expiresAt?: string } = {}) => ({
  id: 's1',
  userId: 'ada',
  tokenHash: hashSessionToken(TOKEN),
  lastUsedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  ...changes,
});

const get = (path = WHO_AM_I, app = stage.gateway({ publicUrl: PUBLIC_URL })) =>
  supertest(app).get(path).set('Cookie', COOKIE);
const signOut = (app = stage.gateway({ publicUrl: PUBLIC_URL })) =>
  supertest(app).post('/console/api/sign-out').set('Cookie', COOKIE);
const principal = () =>
  new PrincipalVerifier([SIGNING_KEY], 'directory').verify(
    stage.seen.at(-1)?.headers[PRINCIPAL_HEADER] as string,
    clock.now(),
  );

describe('a request with the cookie of a session', () => {
  it('is forwarded as that of the person, with their role and their teams (K21)', async () => {
    stage.teams.put('ops', {
      id: 'ops',
      name: 'Ops',
      description: '',
      members: [{ userId: 'ada', role: 'admin' }],
      routingRules: [],
    });
    await get().expect(202);
    expect(await principal()).toEqual({
      kind: 'user',
      userId: 'ada',
      username: 'ada@example.com',
      role: 'user',
      teams: [{ id: 'ops', role: 'admin' }],
    });
  });

  it('follows every change of role and teams at once', async () => {
    const app = stage.gateway({ publicUrl: PUBLIC_URL });
    const team = (members: { userId: string; role: string }[]) => {
      stage.teams.put('ops', { id: 'ops', name: 'Ops', description: '', members, routingRules: [] });
    };
    const known = async () => {
      await get(WHO_AM_I, app).expect(202);
      const { role, teams } = (await principal()) as unknown as { role: string; teams: { role: string }[] };
      return [role, teams.map((each) => each.role)];
    };
    team([{ userId: 'bob', role: 'admin' }]);
    expect(await known()).toEqual(['user', []]);
    team([{ userId: 'ada', role: 'user' }]);
    stage.users.put('ada', { ...ada, role: 'admin' });
    expect(await known()).toEqual(['admin', ['user']]);
    team([{ userId: 'ada', role: 'admin' }]);
    expect(await known()).toEqual(['admin', ['admin']]);
    stage.teams.remove('ops');
    stage.users.put('ada', { ...ada, role: 'a custom role' });
    expect(await known()).toEqual(['stakeholder', []]);
    for (const extendedRole of ['user', 'observer'] as const) {
      stage.roles.put('a custom role', { id: 'a custom role', extendedRole });
      expect(await known()).toEqual([extendedRole, []]);
    }
    stage.roles.remove('a custom role');
    expect(await known()).toEqual(['stakeholder', []]);
  });

  it('is refused once the session has ended or was removed, and once its user is blocked or gone', async () => {
    const refused = [
      () => {
        stage.sessions.put('s1', session({ expiresAt: '2026-01-01T00:00:00.000Z' }));
      },
      () => {
        stage.sessions.remove('s1');
      },
      () => {
        stage.users.put('ada', { ...ada, blocked: true });
      },
      () => {
        stage.users.remove('ada');
      },
    ];
    const app = stage.gateway({ publicUrl: PUBLIC_URL });
    for (const change of refused) {
      stage.users.put('ada', ada);
      stage.sessions.put('s1', session());
      const before = await get(WHO_AM_I, app);
      change();
      expect([before.status, (await get(WHO_AM_I, app)).status]).toEqual([202, 401]);
    }
  });

  it('is answered for this browser alone, by no cache on the way', async () => {
    expect((await get().expect(202)).headers['cache-control']).toBe('no-store');
    const withKey = await get('/v2/alerts').set({ Authorization: `GenieKey ${key}` });
    expect(withKey.headers).not.toHaveProperty('cache-control');
  });

  it('belongs to the key where it has one', async () => {
    const withKey = (path: string) =>
      get(path).set({ Authorization: `GenieKey ${key}`, 'Sec-Fetch-Site': 'cross-site' });
    expect([(await withKey('/v2/alerts')).status, (await withKey(WHO_AM_I)).status]).toEqual([202, 403]);
  });

  it('is refused where no such session exists, after a question to directory, and under the limit of unknown keys', async () => {
    stage.sessions.remove('s1');
    const app = stage.gateway({ publicUrl: PUBLIC_URL }, { failedAuth: { perSecond: 1, burst: 2 } });
    await get(WHO_AM_I, app).expect(401);
    await get(WHO_AM_I, app).expect(401);
    expect((await get(WHO_AM_I, app).expect(429)).headers['retry-after']).toBe('1');
  });

  it('counts against the rate of its person', async () => {
    const rate = { perSecond: 1, burst: 1 };
    const rates = {
      alert: rate,
      heartbeat: rate,
      integration: rate,
      configuration: rate,
      search: rate,
      'schedule-oncalls': rate,
    };
    const app = stage.gateway({ publicUrl: PUBLIC_URL }, { rates });
    await get(WHO_AM_I, app).expect(202);
    const refused = await get(WHO_AM_I, app).expect(429);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-reason': 'USER', 'retry-after': '1' });
  });
});

describe('a request that a page of another origin caused (K22)', () => {
  it.each(['cross-site', 'same-site'])('is refused where the browser says %s', async (site) => {
    await get().set('Sec-Fetch-Site', site).expect(403);
    await signOut()
      .set({ ...SAME_ORIGIN, 'Sec-Fetch-Site': site })
      .expect(403);
    expect(stage.seen).toEqual([]);
  });

  it('can not write without both headers', async () => {
    await signOut().expect(403);
    await signOut().set('Sec-Fetch-Site', 'same-origin').expect(403);
    await signOut().set('X-Tocsin-Console', '1').expect(403);
    await signOut()
      .set({ ...SAME_ORIGIN, 'Sec-Fetch-Site': 'none' })
      .expect(403);
    expect(stage.seen).toEqual([]);
    await signOut().set(SAME_ORIGIN).expect(202);
  });

  it('can not sign a browser in', async () => {
    const app = stage.gateway({ publicUrl: PUBLIC_URL });
    for (const part of ['', '/redeem', '/openid', '/openid/redeem']) {
      const path = `/console/api/sign-in${part}`;
      const without = await supertest(app).post(path).send({});
      const own = await supertest(app).post(path).set(SAME_ORIGIN).send({});
      expect([path, without.status, own.status]).toEqual([path, 403, 202]);
    }
  });

  it('is not let in by the setting for pages of other origins, which gives no cookies and not the header', async () => {
    const origin = 'https://status.example.com';
    const app = stage.gateway({ publicUrl: PUBLIC_URL, corsOrigins: [origin] });
    const preflight = await supertest(app).options('/console/api/sign-out').set({
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-tocsin-console',
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).not.toContain('x-tocsin-console');
  });
});

describe('people without https (K22)', () => {
  const ask = (options: Parameters<Stage['gateway']>[0], host?: string) => {
    const request = supertest(stage.gateway(options)).post('/console/api/sign-in').set(SAME_ORIGIN);
    return (host === undefined ? request : request.set('Host', host)).send({ username: 'ada@example.com' });
  };

  it('can sign in on this machine, and elsewhere get an answer that names the setting', async () => {
    await ask({ publicUrl: undefined }).expect(202);
    await ask({ publicUrl: 'http://localhost:8080' }).expect(202);
    for (const [publicUrl, host] of [
      [undefined, 'tocsin.example.com'],
      ['http://localhost:8080', '10.0.0.5:8080'],
      ['http://tocsin.example.com', '127.0.0.1'],
    ] as const) {
      const refused = await ask({ publicUrl }, host).expect(403);
      expect((refused.body as { message: string }).message).toContain('PUBLIC_URL');
    }
  });

  it('can not sign in from elsewhere by a host or an address that they make up, where the setting is missing', async () => {
    const local = { headers: { host: 'localhost:8080' }, socket: { remoteAddress: '127.0.0.1' } };
    expect(cookiesOf(local, undefined)?.session).toBe('tocsin-session');
    expect(cookiesOf({ ...local, socket: { remoteAddress: '::1' } }, undefined)?.session).toBe('tocsin-session');
    for (const remoteAddress of ['10.0.0.5', '::ffff:172.17.0.1', 'fe80::1', undefined])
      expect(cookiesOf({ ...local, socket: { remoteAddress } }, undefined)).toBeUndefined();
    for (const header of ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'Via'])
      await ask({ publicUrl: undefined, trustedProxies: 1 }, 'localhost').set(header, '127.0.0.1').expect(403);
    await ask({ publicUrl: undefined, trustedProxies: 1 }, 'localhost').expect(202);
  });

  it('have no session, whatever cookie they send', async () => {
    const app = stage.gateway({ publicUrl: 'http://tocsin.example.com' });
    const { status } = await supertest(app).get(WHO_AM_I).set('Cookie', `${COOKIE}; tocsin-session=${TOKEN}`);
    expect(status).toBe(401);
  });
});

describe('requests to sign in', () => {
  it('are limited for each address, with the time after which to ask again', async () => {
    const app = stage.gateway({ publicUrl: PUBLIC_URL }, { signIns: { perSecond: 1, burst: 2 } });
    const ask = () => supertest(app).post('/console/api/sign-in').set(SAME_ORIGIN).send({ username: 'x@example.com' });
    await ask().expect(202);
    await ask().expect(202);
    expect((await ask().expect(429)).headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-reason': 'ADDRESS' });
  });

  it('leave those at the same address who open the page or have a code, and the other way round', async () => {
    const app = stage.gateway({ publicUrl: PUBLIC_URL }, { signIns: { perSecond: 1, burst: 1 } });
    const send = async (path: string) => (await supertest(app).post(path).set(SAME_ORIGIN).send({})).status;
    const [codes, openId] = ['/console/api/sign-in', '/console/api/sign-in/openid'];
    expect([await send(codes), await send(codes), await send(openId)]).toEqual([202, 429, 429]);
    for (let count = 0; count < 3; count += 1) await supertest(app).get(codes).expect(202);
    expect(await send(`${codes}/redeem`)).toBe(202);
    expect([await send(`${codes}/redeem`), await send(`${openId}/redeem`)]).toEqual([429, 429]);
    stage.nowMs += 1_000;
    expect([await send(codes), await send(`${openId}/redeem`)]).toEqual([202, 202]);
    expect(new Set(stage.throttled)).toEqual(new Set(['sign-ins', 'sign-in-redemptions']));
  });
});

describe('the uses of sessions', () => {
  it('are reported once ten minutes after the last one that is known, and again where the report failed', async () => {
    const made = new Sessions({
      sessions: stage.sessions,
      users: stage.users,
      roles: stage.roles,
      memberships: stage.memberships,
      unknownTokens: { spend: () => undefined, giveBack: () => undefined },
      clock,
    });
    await made.principalOf(TOKEN, 'address');
    expect(made.takeUses()).toEqual([]);
    stage.sessions.put('s1', session({ lastUsedAt: '2025-12-31T23:50:00.000Z' }));
    await made.principalOf(TOKEN, 'address');
    await made.principalOf(TOKEN, 'address');
    const uses = made.takeUses();
    expect(uses).toEqual([{ id: 's1', at: clock.now() }]);
    expect(made.takeUses()).toEqual([]);
    made.returnUses(uses);
    expect(made.takeUses()).toEqual(uses);
  });
});

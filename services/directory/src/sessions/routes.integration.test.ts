import { describe, expect, it } from '@jest/globals';
import { collectionOf, inTransaction } from '@tocsin/mongo';
import { Sessions } from '@tocsin/events';
import { sentCommands } from '@tocsin/testkit';
import { anotherProcess } from '../testing/mongo-fixture.ts';
import { appOn, type TestApp } from '../testing/app-fixture.ts';
import { ADA, Browser, latestCode, signInNotices, withAda } from '../testing/session-fixture.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const dataOf = ({ body }: { readonly body: unknown }) => (body as { data: Record<string, unknown> }).data;
const faultOf = ({ body }: { readonly body: unknown }) => (body as { errors?: { code?: string } }).errors?.code;
const withoutEnvelope = ({ body, status }: { readonly body: unknown; readonly status: number }) => {
  const { took: _, requestId: __, ...rest } = body as Record<string, unknown>;
  return { status, ...rest };
};
const NOT_USABLE = expect.stringContaining('cannot be used');

describe('POST /console/api/sign-in', () => {
  it('orders a mail with eight digits to the user name, and binds the code to the browser', async () => {
    const { adaId, app, browser } = await withAda();
    const response = await browser.ask(' ADA@example.com ');
    expect(withoutEnvelope(response)).toEqual({
      status: 202,
      result: 'Requested',
      data: { expiresAt: '2026-01-01T00:10:00Z' },
    });
    expect(browser.set).toEqual([
      expect.stringMatching(/^__Host-tocsin-flow=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=600$/),
    ]);
    expect(await signInNotices(app)).toEqual([
      {
        kind: 'sign-in',
        noticeId: expect.any(String),
        userId: adaId,
        username: ADA,
        at: '2026-01-01T00:00:00.000Z',
        to: ADA,
        code: expect.stringMatching(/^\d{8}$/),
        browser: 'Firefox on Linux',
        address: '192.0.2.7',
        expiresAt: '2026-01-01T00:10:00.000Z',
      },
    ]);
  });

  it('answers and stores the same for an unknown user, and sends nothing', async () => {
    const { app } = await withAda();
    const [known, unknown] = [new Browser(app), new Browser(app)];
    const answer = await known.ask();
    expect(withoutEnvelope(await unknown.ask('nobody@example.com'))).toEqual(withoutEnvelope(answer));
    const withoutToken = (set: readonly string[]) => set.map((cookie) => cookie.replace(/=[\w-]{43};/, '=;'));
    expect(withoutToken(known.set)).toEqual(withoutToken(unknown.set));
    const stored = await collectionOf(app.stores.connection, 'sign_ins').find().toArray();
    const shapes = stored.map(({ codes, ...rest }) => [Object.keys(rest), (codes as object[]).map(Object.keys)]);
    expect(shapes).toHaveLength(2);
    expect(shapes[0]).toEqual(shapes[1]);
    expect(await signInNotices(app)).toHaveLength(1);
  });

  it('reads and writes as much for a user as for an unknown name (K20)', async () => {
    const { app } = await withAda();
    const commands = sentCommands(app.stores.connection.getClient(), { withoutAborted: true });
    const sentFor = async (work: () => Promise<unknown>) => {
      const before = commands.length;
      await work();
      return commands.slice(before).map((command) => command.replace(/ (?:outbox|unsent_notices)$/, ' a notice'));
    };
    const [known, unknown] = [new Browser(app), new Browser(app)];
    for (let count = 0; count < 3; count += 1) {
      const ofUser = await sentFor(() => known.ask());
      expect(await sentFor(() => unknown.ask('nobody@example.com'))).toEqual(ofUser);
      expect(ofUser).toContain('insert a notice');
      const guess = await sentFor(() => known.redeem('00000000'));
      expect(await sentFor(() => unknown.redeem('00000000'))).toEqual(guess);
    }
  });

  it('counts wrong guesses, and refuses the right one, where there is no such user, as for a user', async () => {
    const { app } = await withAda();
    const browsers = [new Browser(app), new Browser(app)] as const;
    await browsers[0].ask();
    await browsers[1].ask('nobody@example.com');
    for (let guess = 0; guess < 6; guess += 1) {
      const [known, unknown] = [await browsers[0].redeem('00000000'), await browsers[1].redeem('00000000')];
      expect(withoutEnvelope(unknown)).toEqual(withoutEnvelope(known));
      expect(unknown.status).toBe(422);
    }
  });

  it('sends nothing to a user who is blocked', async () => {
    const { adaId, app, browser } = await withAda();
    await collectionOf<{ _id: string }>(app.stores.connection, 'users').updateOne(
      { _id: adaId },
      { $set: { blocked: true } },
    );
    expect((await browser.ask()).status).toBe(202);
    expect(await signInNotices(app)).toEqual([]);
  });

  it.each([ADA, 'nobody@example.com'])(
    'refuses %s the sixth code of an hour, and says when to ask again',
    async (name) => {
      const { app, browser } = await withAda();
      for (let count = 0; count < 5; count += 1) expect((await browser.ask(name)).status).toBe(202);
      app.clock.advance(10 * MINUTE);
      const refused = await browser.ask(name);
      expect(refused.status).toBe(429);
      expect(refused.headers).toMatchObject({
        'retry-after': '3000',
        'x-ratelimit-state': 'THROTTLED',
        'x-ratelimit-reason': 'USER',
        'x-ratelimit-period-in-sec': '3600',
      });
      expect((await browser.ask('bob@example.com')).status).toBe(202);
      app.clock.advance(50 * MINUTE);
      expect((await browser.ask(name)).status).toBe(202);
    },
  );

  it('is limited over all user names: for each address, for strangers, and for the installation (K20)', async () => {
    const { app } = await withAda();
    const askedFrom = async (address: string, name: string) =>
      (await new Browser(app, undefined, address).ask(`${name}@example.com`)).status;
    for (let count = 0; count < 10; count += 1)
      expect(await askedFrom(`2001:db8:0:${count}::1`, `one-${count}`)).toBe(202);
    const refused = await new Browser(app, undefined, '2001:db8:0:ff::2').ask('ten@example.com');
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-reason': 'ADDRESS' });
    for (let count = 0; count < 20; count += 1) expect(await askedFrom(`192.0.2.${count}`, `two-${count}`)).toBe(202);
    expect(await askedFrom('192.0.2.200', 'three')).toBe(429);
    app.clock.advance(MINUTE);
    expect(await askedFrom('192.0.2.200', 'three')).toBe(202);
  });

  it('is refused over plain http but on this machine, by an answer that names the setting', async () => {
    const { app } = await withAda();
    const refused = await new Browser(app, 'http://tocsin.example.com').ask();
    expect(refused.status).toBe(403);
    expect((refused.body as { message: string }).message).toContain('PUBLIC_URL');
    const local = new Browser(app, 'http://127.0.0.1:8080');
    expect((await local.signIn()).status).toBe(200);
    expect(local.set.map((cookie) => cookie.replace(/=[\w.-]+;/, '=;'))).toEqual([
      'tocsin-flow=; Path=/; HttpOnly; SameSite=Strict; Max-Age=600',
      'tocsin-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000',
      'tocsin-browser=; Path=/; HttpOnly; SameSite=Strict; Max-Age=7776000',
    ]);
  });

  it('stores neither the code nor a token', async () => {
    const { app, browser } = await withAda();
    await browser.ask();
    const outbox = JSON.stringify(await collectionOf(app.stores.connection, 'outbox').find().toArray());
    expect(outbox).toContain('sign-in');
    const code = await latestCode(app);
    expect(outbox + JSON.stringify(app.stores.publisher.published)).not.toContain(code);
    const signIns = JSON.stringify(await collectionOf(app.stores.connection, 'sign_ins').find().toArray());
    await browser.redeem(code);
    const sessions = JSON.stringify(await collectionOf(app.stores.connection, 'sessions').find().toArray());
    for (const secret of [code, ...browser.cookies.values()]) expect(signIns + sessions).not.toContain(secret);
  });

  it('stores the command for its mail with the code, so that the mail is sent where the process dies before it publishes', async () => {
    const { app, browser } = await withAda();
    const orders = () => collectionOf(app.stores.connection, 'outbox').countDocuments({ topic: 'notice-commands.v1' });
    await browser.ask();
    const published = app.stores.publisher.published.filter(({ topic }) => topic === 'notice-commands.v1');
    expect([published, await orders()]).toEqual([[], 1]);
    await browser.ask('nobody@example.com');
    expect(await orders()).toBe(1);
  });
});

describe('POST /console/api/sign-in/redeem', () => {
  it('begins a session in the browser that asked', async () => {
    const { adaId, app, browser } = await withAda();
    const response = await browser.signIn();
    expect(withoutEnvelope(response)).toEqual({
      status: 200,
      result: 'Signed in',
      data: { id: expect.any(String), expiresAt: '2026-01-08T00:00:00Z' },
    });
    const attributes = '; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=';
    expect(browser.set.slice(1).map((cookie) => cookie.replace(/=[\w.-]+;/, '=;'))).toEqual([
      `__Host-tocsin-session=${attributes}2592000`,
      `__Host-tocsin-browser=${attributes}7776000`,
    ]);
    const published = app.stores.publisher.published.filter(({ topic }) => topic === Sessions.name);
    expect(published).toMatchObject([{ message: { deleted: false, state: { userId: adaId } } }]);
  });

  it('refuses the code to a browser that did not ask for it, and leaves it to the one that did', async () => {
    const { app, browser } = await withAda();
    await browser.ask();
    const code = await latestCode(app);
    const other = new Browser(app);
    expect(faultOf(await other.redeem(code))).toEqual(NOT_USABLE);
    await other.ask('bob@example.com');
    expect(faultOf(await other.redeem(code))).toContain('is not the code that was sent');
    expect((await browser.redeem(code)).status).toBe(200);
  });

  it('refuses a code that was used, that is old, and that was replaced', async () => {
    const { app, browser } = await withAda();
    await browser.ask();
    const used = await latestCode(app);
    await browser.redeem(used);
    expect(faultOf(await browser.redeem(used))).toEqual(NOT_USABLE);
    await browser.ask();
    const old = await latestCode(app);
    app.clock.advance(10 * MINUTE);
    expect(faultOf(await browser.redeem(old))).toContain('has expired');
    await browser.ask();
    const replaced = await latestCode(app);
    await browser.ask();
    expect(faultOf(await browser.redeem(replaced))).toContain('is not the code that was sent');
  });

  it('lets each of two browsers in that ask for the same user, in any order (K20)', async () => {
    const { app, browser } = await withAda();
    const other = new Browser(app);
    await browser.ask();
    const first = await latestCode(app);
    await other.ask();
    const second = await latestCode(app);
    expect(faultOf(await other.redeem(first))).toContain('is not the code that was sent');
    expect((await other.redeem(second)).status).toBe(200);
    expect((await browser.redeem(first)).status).toBe(200);
  });

  it('is available to a browser that was signed in before, also while strangers ask without end (K20)', async () => {
    const { app, browser } = await withAda();
    await browser.signIn();
    await browser.send('post', '/console/api/sign-out');
    for (let address = 0; address < 20; address += 1)
      for (let count = 0; count < 11; count += 1)
        await new Browser(app, undefined, `198.51.100.${address}`).ask(count % 2 ? `user-${address}@example.com` : ADA);
    expect((await new Browser(app).ask()).status).toBe(429);
    expect((await browser.ask()).status).toBe(202);
    const code = await latestCode(app);
    for (let count = 0; count < 3; count += 1) await new Browser(app, undefined, `203.0.113.${count}`).ask();
    expect((await browser.redeem(code)).status).toBe(200);
  });

  it('refuses the cookie of a known browser of another user', async () => {
    const { app, browser } = await withAda();
    await app.user('bob@example.com');
    await browser.signIn();
    for (let count = 0; count < 5; count += 1) await new Browser(app).ask('bob@example.com');
    expect((await browser.ask('bob@example.com')).status).toBe(429);
    expect((await browser.ask()).status).toBe(202);
  });

  it.each([
    [
      'whose cookie has expired',
      (app: TestApp) => {
        app.clock.advance(90 * DAY);
      },
    ],
    [
      'of a user who is blocked since',
      async ({ stores }: TestApp) => {
        const users = collectionOf<{ _id: string; username: string }>(stores.connection, 'users');
        await users.updateOne({ username: ADA }, { $set: { blocked: true } });
      },
    ],
    [
      'of a user who was deleted, and whose name another user has',
      async (app: TestApp, adaId: string) => {
        await app.remove(`/v2/users/${adaId}`);
        await app.user(ADA);
      },
    ],
  ])('takes a browser for a stranger %s', async (_, happens) => {
    const { adaId, app, browser } = await withAda();
    await browser.signIn();
    await happens(app, adaId);
    for (let count = 0; count < 5; count += 1) await new Browser(app).ask();
    expect((await browser.ask()).status).toBe(429);
  });

  it('leaves codes for others where one user asks with many known browsers (K20)', async () => {
    const { app, browser } = await withAda();
    await app.user('mallory@example.com');
    await browser.signIn();
    const known: Browser[] = [];
    for (let count = 0; count < 13; count += 1) {
      const one = new Browser(app, undefined, `192.0.2.${count}`);
      const { code } = await app.directory.signIns.codeForOperator('mallory@example.com');
      await one.redeem(code);
      known.push(one);
    }
    const statuses: number[] = [];
    for (const one of known)
      for (let count = 0; count < 5; count += 1) statuses.push((await one.ask('mallory@example.com')).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(5);
    expect((await browser.ask()).status).toBe(202);
  });

  it.each(['3141 5926', '3141-5926', ' 31 41 59 26 ', '3-1-4-1-5-9-2-6'])(
    'reads the code as people write it: %j',
    async (code) => {
      const { adaId, app, browser } = await withAda({ newSignInCode: () => '31415926' });
      await browser.ask();
      expect((await browser.redeem(code)).status).toBe(200);
      expect(await app.stores.sessions.ofUser(adaId)).toHaveLength(1);
    },
  );

  it('begins one session for one code, however many redeem it at once, in two processes', async () => {
    const { app, browser } = await withAda();
    await browser.ask();
    const code = await latestCode(app);
    const elsewhere = new Browser(appOn(await anotherProcess(app.stores)));
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const answers = await Promise.all([browser, elsewhere, browser, elsewhere].map((each) => each.redeem(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(await collectionOf(app.stores.connection, 'sessions').countDocuments()).toBe(1);
  });

  it('counts every wrong guess, also of many at once', async () => {
    const { app, browser } = await withAda();
    await browser.ask();
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.redeem('00000000')));
    const left = answers.map((answer) => faultOf(answer) ?? '').filter((fault) => fault.includes('tries left'));
    expect(left.map((fault) => fault.at(-1)).sort()).toEqual(['0', '1', '2', '3', '4']);
    expect(faultOf(await browser.redeem(await latestCode(app)))).toContain('guessed at too often');
  });

  it('refuses a user who was deleted since, as it refuses a wrong code', async () => {
    const { adaId, app, browser } = await withAda();
    await browser.ask();
    const code = await latestCode(app);
    expect((await app.remove(`/v2/users/${adaId}`)).status).toBe(200);
    expect(faultOf(await browser.redeem(code))).toContain('is not the code that was sent');
  });

  it.each([['1234567'], ['123456789'], ['1234  5678'], ['abcdefgh'], [''], ['x'.repeat(44)], [12345678], [null]])(
    'answers 422 to the code %j',
    async (code) => {
      const { browser } = await withAda();
      await browser.ask();
      expect((await browser.redeem(code as string)).status).toBe(422);
    },
  );

  it('ends the session that was not used for the longest time at the twenty-first', async () => {
    const { app, browser } = await withAda();
    await browser.signIn();
    const first = dataOf(await browser.send('get', '/console/api/session'))['id'];
    let latest = browser;
    for (let count = 0; count < 20; count += 1) {
      app.clock.advance(2 * 60 * MINUTE);
      latest = new Browser(app);
      await latest.signIn();
    }
    const listed = dataOf(await latest.send('get', '/console/api/sessions')) as unknown as { id: string }[];
    expect(listed).toHaveLength(20);
    expect(listed.map(({ id }) => id)).not.toContain(first);
    expect((await browser.send('get', '/console/api/session')).status).toBe(401);
  });
});

describe('POST /internal/sign-ins', () => {
  const operator = { service: 'gateway' } as const;

  it('makes a code that any browser redeems, once, within ten minutes', async () => {
    const { app, browser } = await withAda();
    const made = await app.post('/internal/sign-ins', { username: ADA }, operator);
    expect([made.status, dataOf(made)['expiresAt']]).toEqual([200, '2026-01-01T00:10:00Z']);
    const code = String(dataOf(made)['code']);
    expect((await browser.redeem(code)).status).toBe(200);
    expect(faultOf(await browser.redeem(code))).toEqual(NOT_USABLE);
    const late = String(dataOf(await app.post('/internal/sign-ins', { username: ADA }, operator))['code']);
    app.clock.advance(10 * MINUTE);
    expect(faultOf(await browser.redeem(late))).toContain('has expired');
    expect(await signInNotices(app)).toEqual([]);
  });

  it('answers 404 for a user who does not exist, and is closed to keys and persons', async () => {
    const { app } = await withAda();
    expect((await app.post('/internal/sign-ins', { username: 'nobody@example.com' }, operator)).status).toBe(404);
    expect((await app.post('/internal/sign-ins', { username: ADA })).status).toBe(403);
    const person = { kind: 'user', userId: 'ada', username: ADA, role: 'owner', teams: [] } as const;
    expect((await app.post('/internal/sign-ins', { username: ADA }, person)).status).toBe(403);
  });
});

describe('a signed-in person', () => {
  it('reads who they are, in which teams, and until when', async () => {
    const { adaId, app, browser } = await withAda();
    const teamId = await app.team('Ops', [{ user: { id: adaId }, role: 'admin' }]);
    await app.team('Others');
    await browser.signIn();
    expect(dataOf(await browser.send('get', '/console/api/session'))).toEqual({
      id: expect.any(String),
      user: { id: adaId, username: ADA, fullName: ADA },
      role: { id: 'user', name: 'user' },
      teams: [{ id: teamId, name: 'Ops', role: 'admin' }],
      createdAt: '2026-01-01T00:00:00Z',
      expiresAt: '2026-01-08T00:00:00Z',
    });
  });

  it('lists their sessions and no others, and ends one of them', async () => {
    const { app, browser } = await withAda();
    await app.user('bob@example.com');
    const [phone, bob] = [new Browser(app), new Browser(app)];
    await browser.signIn();
    app.clock.advance(MINUTE);
    await phone.signIn();
    await bob.signIn('bob@example.com');
    const list = async (from: Browser) =>
      dataOf(await from.send('get', '/console/api/sessions')) as unknown as { id: string; isCurrent: boolean }[];
    const listed = await list(phone);
    expect(listed).toEqual([
      {
        id: expect.any(String),
        createdAt: '2026-01-01T00:00:00Z',
        lastUsedAt: '2026-01-01T00:00:00Z',
        expiresAt: '2026-01-08T00:00:00Z',
        address: '192.0.2.7',
        browser: 'Firefox on Linux',
        isCurrent: false,
      },
      expect.objectContaining({ createdAt: '2026-01-01T00:01:00Z', isCurrent: true }),
    ]);
    const other = `/console/api/sessions/${listed[0]?.id ?? ''}`;
    expect((await bob.send('delete', other)).status).toBe(404);
    expect(withoutEnvelope(await phone.send('delete', other))).toEqual({ status: 200, result: 'Deleted' });
    expect((await phone.send('delete', other)).status).toBe(404);
    expect((await browser.send('get', '/console/api/session')).status).toBe(401);
    expect(await list(phone)).toHaveLength(1);
  });

  it('signs out: the cookie is taken back, and the session is gone on the topic before the answer', async () => {
    const { app, browser } = await withAda();
    await browser.signIn();
    const token = browser.cookies.get('__Host-tocsin-session') ?? '';
    expect(withoutEnvelope(await browser.send('post', '/console/api/sign-out'))).toEqual({
      status: 200,
      result: 'Signed out',
    });
    expect(browser.set.at(-1)).toBe('__Host-tocsin-session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0');
    const states = app.stores.publisher.published.filter(({ topic }) => topic === Sessions.name);
    expect(states.at(-1)).toMatchObject({ message: { deleted: true } });
    browser.cookies.set('__Host-tocsin-session', token);
    for (const [method, path] of [
      ['get', '/console/api/session'],
      ['get', '/console/api/sessions'],
      ['post', '/console/api/sign-out'],
    ] as const)
      expect((await browser.send(method, path)).status).toBe(401);
  });

  it('ends one that is not on the topic yet with 503, and publishes its end later (K21)', async () => {
    const { app, browser } = await withAda();
    await browser.signIn();
    app.stores.publisher.refuseWith(new Error('Kafka is unavailable'));
    expect((await browser.send('post', '/console/api/sign-out')).status).toBe(503);
    app.stores.publisher.refuseWith(undefined);
    expect((await browser.send('get', '/console/api/session')).status).toBe(401);
    await app.stores.outbox.flush();
    const states = app.stores.publisher.published.filter(({ topic }) => topic === Sessions.name);
    expect(states.at(-1)).toMatchObject({ message: { deleted: true } });
  });

  it('ends one by its id with 503 also when it is repeated, until its end is on the topic, and then with 404 (K21)', async () => {
    const { app, browser } = await withAda();
    const phone = new Browser(app);
    await phone.signIn();
    const { id } = dataOf(await phone.send('get', '/console/api/session'));
    await browser.signIn();
    const end = async () => (await browser.send('delete', `/console/api/sessions/${String(id)}`)).status;
    app.stores.publisher.refuseWith(new Error('Kafka is unavailable'));
    expect([await end(), await end()]).toEqual([503, 503]);
    app.stores.publisher.refuseWith(undefined);
    expect(await end()).toBe(404);
    const states = app.stores.publisher.published.filter(({ topic }) => topic === Sessions.name);
    expect(states.at(-1)).toMatchObject({ key: id, message: { deleted: true } });
  });

  it('is one of twenty at most where many begin at once, by whatever sign-in (K21)', async () => {
    const { adaId, app } = await withAda();
    const begin = () =>
      app.directory.signIns.begin(ADA, { address: '192.0.2.7', browser: undefined, userAgent: undefined });
    for (let count = 0; count < 19; count += 1) await begin();
    await Promise.all([begin(), begin(), begin(), begin()]);
    expect(await app.stores.sessions.ofUser(adaId)).toHaveLength(20);
  });

  it('is one no more after seven days without a use, and after thirty in any case', async () => {
    const { app, browser } = await withAda();
    await browser.signIn();
    const { id } = dataOf(await browser.send('get', '/console/api/session'));
    const use = () =>
      app.post('/internal/sessions/uses', { uses: [{ id, at: app.clock.now() }] }, { service: 'gateway' });
    const status = async () => (await browser.send('get', '/console/api/session')).status;
    for (let day = 6; day < 30; day += 6) {
      app.clock.advance(6 * DAY);
      expect((await use()).status).toBe(200);
      expect(await status()).toBe(200);
    }
    app.clock.advance(6 * DAY - 1);
    expect(await status()).toBe(200);
    app.clock.advance(1);
    expect(await status()).toBe(401);
  });
});

describe('the removal of codes after a restore', () => {
  it('leaves no code that a browser or an operator asked for, and counts the request still', async () => {
    const { app, browser } = await withAda();
    const { connection, sessions } = app.stores;
    for (let count = 0; count < 5; count += 1) await browser.ask();
    const code = await latestCode(app);
    const made = await app.post('/internal/sign-ins', { username: ADA }, { service: 'gateway' });
    await inTransaction(connection, (session) => sessions.removeCodes(session));
    expect(faultOf(await browser.redeem(code))).toEqual(NOT_USABLE);
    expect(faultOf(await browser.redeem(String(dataOf(made)['code'])))).toEqual(NOT_USABLE);
    expect((await browser.ask()).status).toBe(429);
    app.clock.advance(60 * MINUTE);
    expect((await browser.signIn()).status).toBe(200);
  });
});

describe('the removal of sessions', () => {
  const sessionsOf = async (app: { stores: { connection: Parameters<typeof collectionOf>[0] } }) =>
    collectionOf(app.stores.connection, 'sessions').countDocuments();

  it('removes ended ones, on the topic too, and user names that no limit counts any more', async () => {
    const { app, browser } = await withAda();
    await browser.signIn();
    await browser.ask('nobody@example.com');
    await app.stores.sessions.removeEnded(app.clock.now());
    expect(await sessionsOf(app)).toBe(1);
    app.clock.advance(7 * DAY);
    await app.stores.sessions.removeEnded(app.clock.now());
    expect(await sessionsOf(app)).toBe(0);
    for (const name of ['sign_ins', 'sign_in_minutes', 'unsent_notices'])
      expect([name, await collectionOf(app.stores.connection, name).countDocuments()]).toEqual([name, 0]);
    const states = app.stores.publisher.published.filter(({ topic }) => topic === Sessions.name);
    expect(states.at(-1)).toMatchObject({ message: { deleted: true, version: { n: 2 } } });
  });

  it('removes those of deleted and blocked users, and no others', async () => {
    const { adaId, app, browser } = await withAda();
    const [bobId, carolId] = [await app.user('bob@example.com'), await app.user('carol@example.com')];
    await browser.signIn();
    for (const name of ['bob@example.com', 'carol@example.com']) await new Browser(app).signIn(name);
    await app.remove(`/v2/users/${bobId}`);
    await collectionOf<{ _id: string }>(app.stores.connection, 'users').updateOne(
      { _id: carolId },
      { $set: { blocked: true } },
    );
    await app.stores.sessions.removeEnded(app.clock.now());
    expect((await app.stores.sessions.ofUser(adaId)).length).toBe(1);
    expect(await sessionsOf(app)).toBe(1);
  });
});

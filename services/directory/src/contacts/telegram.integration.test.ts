import { beforeEach, describe, expect, it } from '@jest/globals';
import { appOn, testApp, type TestApp } from '../testing/app-fixture.ts';
import { ADA, listed, withAda } from '../testing/contact-fixture.ts';
import { anotherProcess } from '../testing/mongo-fixture.ts';
import { randomLinkCode } from './telegram-operations.ts';

const MINUTE_MS = 60_000;
const ACCOUNT = '700100200';

let app: TestApp;
beforeEach(async () => {
  app = await withAda();
});

/** The link that a user gets, and its code. */
async function offered(user = ADA, name = 'Telegram') {
  const { body, status } = await app.post(`/v2/users/${user}/devices`, { name, kind: 'telegram' });
  expect(status).toBe(201);
  const { data } = body as { data: { id: string; url: string; qrText: string; expiresAt: string } };
  return { ...data, code: new URL(data.url).searchParams.get('start') ?? '' };
}

/** What directory answers to notifier, to which an account sent a code. */
async function use(code: string, account = ACCOUNT, by = app) {
  const { body, status } = await by.post('/internal/telegram-links/uses', { code, account }, { service: 'notifier' });
  expect(status).toBe(200);
  return (body as { data: { result: string; username?: string } }).data;
}

/** What directory answers to notifier, to which an account wrote that it wants no more pages. */
async function stop(account = ACCOUNT, by = app) {
  const { body, status } = await by.post('/internal/telegram-links/removals', { account }, { service: 'notifier' });
  expect(status).toBe(200);
  return (body as { data: { username?: string } }).data;
}

const devicesOf = async (user = ADA) => {
  const { body } = await app.get(`/v2/users/${user}/contacts`);
  return (body as { data: { method: string; to: string }[] }).data.filter(({ method }) => method === 'mobile');
};

describe('a device of Telegram (U13)', () => {
  it('is a link to the bot, and no contact until an account has used it', async () => {
    const { code, expiresAt, id, qrText, url } = await offered();
    expect([url, qrText]).toEqual([`https://t.me/tocsin_bot?start=${code}`, url]);
    expect(Date.parse(expiresAt) - app.clock.now().getTime()).toBe(15 * MINUTE_MS);
    expect(await devicesOf()).toEqual([]);
    expect(await use(code)).toEqual({ result: 'linked', username: ADA });
    expect((await listed(app))[1]).toMatchObject({
      id,
      method: 'mobile',
      to: `telegram:${ACCOUNT}`,
      status: { enabled: true },
      device: { name: 'Telegram', kind: 'telegram', verified: false },
    });
  });

  it('is linked once, however often the code comes, also to several processes at once, and also later', async () => {
    const { code } = await offered();
    const other = appOn(await anotherProcess(app.stores));
    const answers = await Promise.all([app, other, app, other].map((by) => use(code, ACCOUNT, by)));
    app.clock.advance(20 * MINUTE_MS);
    for (const answer of [...answers, await use(code)]) expect(answer).toEqual({ result: 'linked', username: ADA });
    expect(await devicesOf()).toHaveLength(1);
  });

  it('is linked after a process died between the use of the link and the contact', async () => {
    const { code } = await offered();
    const { telegramLinks } = app.stores;
    const failing = appOn({
      ...app.stores,
      telegramLinks: Object.assign(Object.create(telegramLinks) as typeof telegramLinks, {
        use: async (...given: Parameters<typeof telegramLinks.use>) => {
          await telegramLinks.use(...given);
          throw new Error('the process died');
        },
      }),
    });
    await expect(use(code, ACCOUNT, failing)).rejects.toThrow();
    expect(await devicesOf()).toEqual([]);
    expect(await use(code, '700100201')).toEqual({ result: 'expired' });
    expect(await use(code)).toMatchObject({ result: 'linked' });
    expect(await devicesOf()).toHaveLength(1);
  });

  it('is not linked by a wrong code, an old one, one of another account, or one before the newest', async () => {
    expect(await use('wrong')).toEqual({ result: 'expired' });
    const [first, second] = [await offered(), await offered()];
    expect(await use(first.code)).toEqual({ result: 'expired' });
    app.clock.advance(15 * MINUTE_MS);
    expect(await use(second.code)).toEqual({ result: 'expired' });
    const third = await offered();
    await use(third.code);
    expect(await use(third.code, '700100201')).toEqual({ result: 'expired' });
    expect(await devicesOf()).toHaveLength(1);
  });

  it('is of one user: another is refused, also where both link the account at once, until the first has deleted it', async () => {
    const bob = 'bob@example.com';
    await app.user(bob);
    const [ofAda, ofBob] = [await offered(), await offered(bob)];
    const other = appOn(await anotherProcess(app.stores));
    const answers = await Promise.all([use(ofAda.code), use(ofBob.code, ACCOUNT, other)]);
    expect(answers.map(({ result }) => result).toSorted()).toEqual(['elsewhere', 'linked']);
    const [holder, loser] = answers[0].result === 'linked' ? [ADA, bob] : [bob, ADA];
    expect([(await devicesOf(holder)).length, (await devicesOf(loser)).length]).toEqual([1, 0]);
    const [{ id }] = (await devicesOf(holder)) as unknown as [{ id: string }];
    await app.remove(`/v2/users/${holder}/contacts/${id}`);
    const { code } = await offered(loser);
    expect(await use(code)).toEqual({ result: 'linked', username: loser });
  });

  it('stays deleted, although the code comes again while its link would work', async () => {
    const { code, id } = await offered();
    await use(code);
    await app.remove(`/v2/users/${ADA}/contacts/${id}`);
    expect(await use(code)).toMatchObject({ result: 'expired' });
    expect(await devicesOf()).toEqual([]);
  });

  it('is deleted with its steps by its account, once, however often that asks, and not by another account', async () => {
    const { code } = await offered();
    await use(code);
    const rules = `/v2/users/${ADA}/notification-rules`;
    const step = {
      contact: { method: 'mobile', to: `telegram:${ACCOUNT}` },
      sendAfter: { timeAmount: 1 },
      enabled: true,
    };
    const made = await app.post(rules, { name: 'Pages', actionType: 'create-alert', enabled: true, steps: [step] });
    expect(made.status).toBe(201);
    const { id } = (made.body as { data: { id: string } }).data;
    expect(await stop('700100201')).toEqual({});
    expect(await devicesOf()).toHaveLength(1);
    const other = appOn(await anotherProcess(app.stores));
    const answers = await Promise.all([stop(), stop(ACCOUNT, other)]);
    expect(answers).toContainEqual({ username: ADA });
    expect(await stop()).toEqual({});
    expect(await devicesOf()).toEqual([]);
    expect((await app.get(`${rules}/${id}`)).body).toMatchObject({ data: { name: 'Pages', steps: [] } });
    expect(await use(code)).toMatchObject({ result: 'expired' });
  });

  it('stays one where the account uses another link of its user', async () => {
    await use((await offered()).code);
    expect(await use((await offered()).code)).toMatchObject({ result: 'linked' });
    expect(await devicesOf()).toHaveLength(1);
  });

  it('is refused to a user with five devices: as they ask for the link, and as the account uses it', async () => {
    const { code } = await offered();
    for (const name of ['Phone', 'Tablet', 'Watch', 'Wall', 'Desk'])
      await app.post(`/v2/users/${ADA}/devices`, { name });
    expect(await use(code)).toEqual({ result: 'full', username: ADA });
    const { body, status } = await app.post(`/v2/users/${ADA}/devices`, { name: 'Telegram', kind: 'telegram' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'The user has 5 devices already, which is the most.' });
    expect(await devicesOf()).toHaveLength(5);
  });

  it('is not made of a user who was deleted', async () => {
    const id = await app.user('cyd@example.com');
    const { code } = await offered('cyd@example.com');
    await app.remove(`/v2/users/${id}`);
    expect(await use(code)).toEqual({ result: 'expired' });
  });

  it('keeps no code, and forgets a link a day after its end', async () => {
    const { code } = await offered();
    const links = app.stores.connection.collection('telegram_links');
    expect(JSON.stringify(await links.find().toArray())).not.toContain(code);
    app.clock.advance(24 * 60 * MINUTE_MS);
    await app.stores.telegramLinks.removeExpired(app.clock.now());
    expect(await links.countDocuments()).toBe(1);
    app.clock.advance(15 * MINUTE_MS);
    await app.stores.telegramLinks.removeExpired(app.clock.now());
    expect(await links.countDocuments()).toBe(0);
  });

  it('is refused where there is no bot', async () => {
    const without = await testApp({ telegramBot: undefined });
    await without.user(ADA);
    const { body, status } = await without.post(`/v2/users/${ADA}/devices`, { name: 'Telegram', kind: 'telegram' });
    expect([status, (body as { message: string }).message]).toEqual([
      422,
      'Telegram is not set up: TELEGRAM_BOT_NAME is not set.',
    ]);
  });
});

describe('the code of a link', () => {
  it('has 144 random bits, of characters that a link to a bot may have', () => {
    const codes = Array.from({ length: 100 }, randomLinkCode);
    for (const code of codes) expect(code).toMatch(/^[\w-]{24}$/);
    expect(new Set(codes).size).toBe(100);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, startOpsgenie, type OpsgenieDouble } from '@tocsin/testkit';
import { impatient } from '../testing/account-fixture.ts';
import { TOCSIN_ADVICE } from './advice.ts';
import { ApiReadError } from './answer.ts';
import { OpsgenieClient } from './opsgenie-client.ts';

let old: OpsgenieDouble;
let context: ReturnType<typeof impatient>;
const reader = (key: string = OPSGENIE_KEYS.account) => new OpsgenieClient({ url: old.url, key }, context);
const errorOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

beforeEach(async () => {
  old = await startOpsgenie();
  context = impatient();
});
afterEach(() => old.stop());

describe('lists of an account', () => {
  it('are read where they are bare, wrapped in an object, or null', async () => {
    const client = reader();
    expect((await client.list('/v2/teams')).map(({ name }) => name)).toEqual(['Ops', 'Data']);
    expect((await client.list('/v2/heartbeats')).map(({ name }) => name)).toEqual(['nightly backup', 'never pinged']);
    expect(await client.list('/v2/schedules/00000003-0000-4000-8000-000000000003/overrides')).toEqual([]);
    old.next({ answer: { status: 200, body: '{"requestId":"r","took":0.1}' } });
    old.next({ answer: { status: 200, body: '{"data":{"heartbeats":null}}' } });
    expect([await client.list('/v2/teams'), await client.list('/v2/heartbeats')]).toEqual([[], []]);
  });

  it('are read page by page, by offsets and not by the address that names another host', async () => {
    const first = old.account.users[0] ?? {};
    for (let number = 0; number < 250; number += 1) old.account.users.push({ ...first, id: `user-${number}` });
    expect(new Set((await reader().pages('/v2/users')).map(({ id }) => id)).size).toBe(254);
    expect(old.requests.map(({ query }) => query.get('offset'))).toEqual([null, '0', '100', '200']);
  });

  it('are read again when an item is deleted between two pages', async () => {
    const first = old.account.users[0] ?? {};
    for (let number = 0; number < 250; number += 1) old.account.users.push({ ...first, id: `user-${number}` });
    old.beforeAnswer = ({ query }) => {
      if (query.get('offset') !== '100') return;
      old.account.users.shift();
      old.beforeAnswer = () => undefined;
    };
    const users = await reader().pages('/v2/users');
    expect(users.map(({ id }) => id)).toEqual(old.account.users.map(({ id }) => id));
  });

  it('that never come whole end in a sentence, not in a shorter list', async () => {
    for (let offset = 0; offset < 5; offset += 1)
      old.next(
        ...(offset === 0 ? [{ answer: { status: 200, body: '{"data":{"rateLimits":[]}}' } }] : []),
        { answer: { status: 200, body: '{"data":[{"id":"a"}],"totalCount":"3"}' } },
        { answer: { status: 200, body: '{"data":[],"totalCount":"3"}' } },
      );
    expect(await errorOf(reader().pages('/v2/users'))).toMatchObject({
      exitCode: 2,
      message: 'The list /v2/users is not whole: 1 of 3 items came, in each of 5 readings.',
    });
  });

  it.each([
    ['text in place of an object', '{"data":["a"]}'],
    ['text in place of a list', '{"data":"a"}'],
    ['an object without a list', '{"data":{}}'],
    ['nothing that the API answers', '{"message":"m"}'],
  ])('with %s are refused', async (_case, body) => {
    old.next({ answer: { status: 200, body: '{}' } }, { answer: { status: 200, body } });
    expect(await errorOf(reader().list('/v2/teams'))).toMatchObject({
      message: `${old.url} answered /v2/teams without a list of objects in data.`,
    });
  });
});

describe('an error about Tocsin', () => {
  it.each([
    ['key', { refuse: 401, body: '{"message":"Could not authenticate"}' }],
    ['team-key', { refuse: 403, body: '{"message":"Team API Keys are not authorized"}' }],
    ['configuration', { refuse: 403, body: '{"message":"No right"}' }],
    ['wrong-host', { refuse: 404, body: '<html>' }],
  ])('advises nothing about Opsgenie: %s', async (fault, behaviour) => {
    const side = { url: old.url, key: OPSGENIE_KEYS.account };
    old.next(behaviour);
    const error = await errorOf(new OpsgenieClient(side, { ...context, advice: TOCSIN_ADVICE }).get('/v2/account'));
    expect(error).toMatchObject({ fault, details: [expect.stringContaining('Tocsin')] });
    expect(String((error as ApiReadError).details)).not.toMatch(/opsgenie|Settings/i);
  });
});

describe('a request that gets no whole answer', () => {
  it.each([
    ['429 with Retry-After', { refuse: 429, headers: { 'retry-after': '7' }, body: '{"message":"m"}' }, 7_000],
    ['429 with the period of its limit', { refuse: 429, headers: { 'x-ratelimit-period-in-sec': '60' } }, 60_000],
    ['429 without either', { refuse: 429, body: '{"message":"You are making too many requests!"}' }, 500],
    ['500', { refuse: 500, body: '{"message":"Internal Server Error"}' }, 500],
    ['503 with a page of a proxy', { refuse: 503, headers: { 'content-type': 'text/html' }, body: '<html>' }, 500],
    ['a cut connection', { close: 'before' }, 500],
    ['half an answer', { close: 'half-way' }, 500],
    ['JSON that ends too early', { answer: { status: 200, body: '{"data":[{"id":"a"' } }, 500],
    ['nothing', { answer: { status: 200, body: '' } }, 500],
  ] as const)('is sent again: %s', async (_case, behaviour, pauseMs) => {
    const client = reader();
    await client.get('/v2/account');
    old.next(behaviour);
    expect((await client.object('/v2/account'))['name']).toBe('Example');
    expect(context.pauses).toEqual([pauseMs]);
  });

  it('is sent eight times in about a minute, then the command ends with a sentence', async () => {
    const client = reader();
    await client.get('/v2/account');
    old.always({ refuse: 429, body: '{"message":"You are making too many requests!"}' });
    expect(await errorOf(client.get('/v2/teams'))).toMatchObject({
      exitCode: 2,
      fault: 'unavailable',
      message: `${old.url} has no room for further requests (429: You are making too many requests!).`,
    });
    expect(old.requests.filter(({ path }) => path === '/v2/teams')).toHaveLength(8);
    expect(context.pauses.reduce((sum, ms) => sum + ms)).toBe(63_500);
  });

  it('is not sent again where the API does not have the operation (501)', async () => {
    const client = reader();
    await client.get('/v2/account');
    old.next({ refuse: 501, body: '{"message":"Not Implemented"}' });
    expect(await errorOf(client.get('/v2/teams'))).toBeInstanceOf(ApiReadError);
    expect(context.pauses).toEqual([]);
  });

  it('ends when the user interrupts', async () => {
    const interrupt = new AbortController();
    const client = new OpsgenieClient(
      { url: old.url, key: OPSGENIE_KEYS.account },
      { ...context, signal: interrupt.signal },
    );
    old.always({ hang: 'before' });
    const read = errorOf(client.get('/v2/account'));
    interrupt.abort(new ApiReadError('unavailable', 'Interrupted.'));
    expect(await read).toMatchObject({ message: 'Interrupted.' });
  });
});

describe('what cannot be read is said in a sentence', () => {
  const cases = [
    ['a key that is not known', 'a1b2c3d4-0000-4000-8000-0000000000ff', 'key', /does not know the key \(401/],
    ['a key that is none', 'not-a-key', 'key', /does not know the key \(422/],
    ['a key of a team', OPSGENIE_KEYS.team, 'team-key', /The key is of a team/],
    [
      'no access to the configuration',
      OPSGENIE_KEYS.withoutConfiguration,
      'configuration',
      /may not read \/v2\/account/,
    ],
  ] as const;
  it.each(cases)('%s', async (_case, key, fault, message) => {
    const error = await errorOf(reader(key).get('/v2/account'));
    expect(error).toMatchObject({ exitCode: 2, fault, message: expect.stringMatching(message) });
    expect(String((error as ApiReadError).details)).toMatch(/Make one in Settings/);
  });

  it.each([
    [
      'a page for people',
      { answer: { status: 200, body: '<!DOCTYPE html><html>' } },
      'answered with a page for people',
    ],
    ['a page that is not found', { refuse: 404, body: '<html>' }, 'answered 404 without JSON'],
    [
      'a redirect',
      { refuse: 302, headers: { location: 'https://sign-in.example' } },
      'sends on to https://sign-in.example',
    ],
  ] as const)('%s is of a wrong host, and is not asked again', async (_case, behaviour, what) => {
    old.next(behaviour);
    expect(await errorOf(reader().get('/v2/account'))).toMatchObject({
      fault: 'wrong-host',
      message: `${old.url} ${what}: it is not the address of the API.`,
      details: ['The API is at https://api.opsgenie.com, for accounts in the EU at https://api.eu.opsgenie.com.'],
    });
    expect(old.requests).toHaveLength(1);
  });

  it.each([
    ['the plan does not include', 402, '{"message":"Upgrade"}', 'plan'],
    ['the account does not have', 403, '{"code":40302,"message":"Not supported"}', 'plan'],
    ['the vendor took away', 410, '{"message":"Gone"}', 'missing'],
    ['is not there', 404, '{"message":"No handler found"}', 'missing'],
  ] as const)('a part that %s', async (_case, refuse, body, fault) => {
    const client = reader();
    await client.get('/v2/account');
    old.next({ refuse, body });
    expect(await errorOf(client.get('/v2/roles'))).toMatchObject({ fault });
  });
});

describe('the limits of the account', () => {
  it('are read first, and 80 % of those of searches and of the configuration are used', async () => {
    old.account.rateLimits = [
      { domain: 'search', limits: [{ limit: '5', periodInSeconds: '60' }] },
      { domain: 'email', limits: [{ limit: 1, periodInSeconds: 60 }] },
    ];
    const client = new OpsgenieClient({ url: old.url, key: OPSGENIE_KEYS.account }, { ...context, now: () => 0 });
    for (let times = 0; times < 5; times += 1) await client.get('/v2/account');
    expect(old.requests[0]?.path).toBe('/v2/request-limits');
    expect(context.pauses).toEqual([60_000]);
  });

  it('of 30 days are kept as those of a day with the same rate', async () => {
    old.account.rateLimits = [{ domain: 'search', limits: [{ limit: 150, periodInSeconds: 30 * 86_400 }] }];
    const client = new OpsgenieClient({ url: old.url, key: OPSGENIE_KEYS.account }, { ...context, now: () => 0 });
    for (let times = 0; times < 5; times += 1) await client.get('/v2/account');
    expect(context.pauses).toEqual([86_400_000]);
  });
});

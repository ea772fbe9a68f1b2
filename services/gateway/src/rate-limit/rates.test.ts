import { type RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { DOMAINS } from '@tocsin/api';
import { UnavailableError } from '@tocsin/core';
import { hashKey } from '@tocsin/http';
import type { Rates } from './request-limits.ts';
import { integration, json, key, readKey, Stage, teamKey } from '../testing/stage.ts';

const unknownKey = '9f8fad5b-d9cb-469f-a165-70867728950e';
const TOO_MANY = { message: 'You are making too many requests!' };
/** One request every second, and two at once. */
const TWO_AT_ONCE = { perSecond: 1, burst: 2 };
const rates = Object.fromEntries(DOMAINS.map((domain) => [domain, TWO_AT_ONCE])) as Exclude<Rates, 'off'>;

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});

afterEach(() => stage.stop());

/** The status of each request. */
const statuses = async (requests: readonly supertest.Test[]): Promise<readonly number[]> => {
  const answered: number[] = [];
  for (const request of requests) answered.push((await request).status);
  return answered;
};

describe('a key over the rate of a domain (F6)', () => {
  let app: RequestListener;
  const create = (withKey = key) => stage.request('post', '/v2/alerts', { app, withKey }).send({ message: 'm' });

  beforeEach(() => {
    app = stage.gateway({}, { rates });
  });

  it('gets 429 with the headers of E3 before its body is read, and the service gets no request', async () => {
    expect(await statuses([create(), create()])).toEqual([202, 202]);
    const refused = await create().expect(429);
    expect(refused.body).toMatchObject(TOO_MANY);
    expect(refused.headers).toMatchObject({
      'x-ratelimit-state': 'THROTTLED',
      'x-ratelimit-reason': 'INTEGRATION',
      'x-ratelimit-period-in-sec': '1',
      'retry-after': '1',
      'x-request-id': (refused.body as { requestId: string }).requestId,
    });
    const endless = stage.request('post', '/v2/alerts', { app }).set('Content-Length', '1000000').send('{"message":');
    expect((await endless).status).toBe(429);
    expect(stage.seen).toHaveLength(2);
    expect(stage.throttled).toEqual(['alert', 'alert']);
    expect(stage.defects).toEqual([]);
  });

  it('is served again when it comes back after Retry-After', async () => {
    await statuses([create(), create()]);
    stage.nowMs = 400;
    expect((await create()).headers['retry-after']).toBe('1');
    stage.nowMs = 1_000;
    expect(await statuses([create(), create()])).toEqual([202, 429]);
  });

  it('is served in other domains, as other keys are in this one', async () => {
    stage.answerWith = json(200, { data: [] });
    expect(await statuses([create(), create(), create()])).toEqual([200, 200, 429]);
    const others = [
      create(teamKey),
      stage.request('get', '/v2/alerts', { app }),
      stage.request('get', '/v2/users', { app }),
    ];
    expect(await statuses(others)).toEqual([200, 200, 200]);
  });

  it('spends on what it may not do as on what it may', async () => {
    expect(await statuses([create(readKey), create(readKey), create(readKey)])).toEqual([403, 403, 429]);
  });

  it('spends a token more for each 64 KiB that it sends, and that it is answered', async () => {
    const text = JSON.stringify({ message: 'x'.repeat(65_536) });
    expect((await stage.request('post', '/v2/alerts', { app }).type('json').send(text)).status).toBe(202);
    expect((await create()).status).toBe(429);
    stage.answerWith = json(200, { data: 'x'.repeat(65_536) });
    const list = () => stage.request('get', '/v2/alerts', { app });
    expect(await statuses([list(), list()])).toEqual([200, 429]);
  });

  it('reads its limits, and each read counts as configuration (E16)', async () => {
    const ask = () => stage.request('get', '/v2/request-limits', { app });
    const { data } = (await ask()).body as { data: { rateLimits: { domain: string; limits: unknown }[] } };
    expect(data.rateLimits).toContainEqual({
      domain: 'search',
      limits: [
        { limit: 1, periodInSeconds: 1 },
        { limit: 2, periodInSeconds: 60 },
      ],
    });
    expect(await statuses([ask(), ask()])).toEqual([200, 429]);
    expect(stage.throttled).toEqual(['configuration']);
  });

  it('keeps its rate when it is rotated: it is that of the integration', async () => {
    await statuses([create(), create()]);
    const retiringKeys = [{ keyHash: hashKey(key), validUntil: '2026-01-02T00:00:00Z' }];
    stage.integrations.put('1', integration('1', unknownKey, { retiringKeys }));
    expect(await statuses([create(unknownKey), create(key)])).toEqual([429, 429]);
  });
});

describe('an address', () => {
  const failedAuth = TWO_AT_ONCE;

  it('that follows links has a rate of its own for them, beside those of its keys', async () => {
    const app = stage.gateway({ trustedProxies: 1 }, { rates });
    const follow = (from: string) =>
      supertest(app).get('/v2/attachments/token').set('Authorization', `GenieKey ${key}`).set('X-Forwarded-For', from);
    expect(await statuses(['::1', '::2', '::3', '1.2.3.4'].map(follow))).toEqual([202, 202, 429, 202]);
    expect(await statuses([stage.request('get', '/v2/alerts/x', { app })])).toEqual([202]);
    const refused = await follow('::4').expect(429);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-reason': 'ADDRESS', 'retry-after': '1' });
    expect(stage.throttled).toEqual(['links', 'links']);
  });

  it('that tries too many keys that do not exist gets 429 for those, and valid keys are accepted from there', async () => {
    const app = stage.gateway({}, { failedAuth });
    const guess = (withKey = unknownKey) => stage.request('get', '/v2/alerts', { app, withKey });
    expect(await statuses([guess(), guess(), guess(), guess(key)])).toEqual([401, 401, 429, 202]);
    const refused = await guess();
    expect(refused.body).toMatchObject(TOO_MANY);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-state': 'THROTTLED', 'x-ratelimit-reason': 'ADDRESS' });
    expect(stage.throttled).toEqual(['unknown-keys', 'unknown-keys']);
    stage.nowMs = 1_000;
    expect(await statuses([guess(), guess()])).toEqual([401, 429]);
  });

  it('spends none of that on requests without a key, with one of the wrong form, of a disabled integration, or that is new', async () => {
    const app = stage.gateway({}, { failedAuth });
    stage.integrations.put('3', integration('3', teamKey, { enabled: false }));
    stage.integrations.ownerHas('keyHash', hashKey(unknownKey), integration('4', unknownKey));
    const ask = (withKey: string) => stage.request('get', '/v2/alerts', { app, withKey });
    for (let times = 0; times < 3; times += 1) {
      expect((await supertest(app).get('/v2/alerts')).status).toBe(401);
      expect(await statuses([ask('42'), ask(teamKey), ask(unknownKey)])).toEqual([422, 401, 202]);
    }
  });

  it('spends none of it either while keys cannot be looked up', async () => {
    const app = stage.gateway({}, { failedAuth });
    const ask = () => stage.request('get', '/v2/alerts', { app, withKey: unknownKey });
    stage.integrations.refuseWith(new UnavailableError('unavailable'));
    expect(await statuses([ask(), ask(), ask()])).toEqual([503, 503, 503]);
    stage.integrations.refuseWith(undefined);
    expect(await statuses([ask(), ask(), ask()])).toEqual([401, 401, 429]);
  });
});

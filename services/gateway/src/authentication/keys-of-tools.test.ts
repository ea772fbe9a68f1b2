import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest, { type Test } from 'supertest';
import { json, key, readKey, Stage } from '../testing/stage.ts';

const BODY = { message: 'Disk full' };
const OTHER = '9f8fad5b-d9cb-469f-a165-70867728950e';
const basic = (credential: string) => `Basic ${Buffer.from(credential).toString('base64')}`;

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
  stage.answerWith = json(200, { result: 'Request will be processed' });
});

afterEach(() => stage.stop());

const post = (path: string): Test => supertest(stage.gateway()).post(path);

describe('the key of the request of a tool', () => {
  it.each([
    ['in the path', () => post(`/hooks/${key}`)],
    ['in the path, before a preset', () => post(`/hooks/${key}/grafana`)],
    ['in the path, below an alias of the root', () => post(`/jsm/ops/integration/hooks/${key}`)],
    ['in the path of a PUT', () => supertest(stage.gateway()).put(`/hooks/${key}`)],
    ['in the query', () => post(`/v1/json/netdata?apiKey=${key}&a=1`)],
    ['in the query of the longer path', () => post(`/v1/json/integrations/webhooks/netdata?apiKey=${key}`)],
    ['in X-API-Key', () => post('/hooks/-').set('X-API-Key', key)],
    ['in X-API-Key, before the path', () => post(`/hooks/${OTHER}`).set('X-API-Key', key)],
    ['after GenieKey', () => post('/hooks/-').set('Authorization', `GenieKey ${key}`)],
    ['after Bearer', () => post('/v1/json/prometheus').set('Authorization', `Bearer ${key}`)],
    ['as the password of Basic', () => post('/hooks/-').set('Authorization', basic(`user:${key}`))],
    ['in Authorization, before all others', () => post(`/hooks/${OTHER}`).set('Authorization', `Bearer ${key}`)],
  ])('is found %s, and reaches no service (K1, Q2)', async (_, request) => {
    await request().send(BODY).expect(200);
    expect(stage.seen).toHaveLength(1);
    expect(JSON.stringify(stage.seen)).not.toContain(key);
    expect(stage.seen[0]?.body).toBe(JSON.stringify(BODY));
    expect((await stage.metrics.text()).body).not.toContain(key);
    expect(JSON.stringify(stage.log)).not.toContain(key);
  });

  it('is found in the JSON of a body below /v1/json, with any content type or none (Q2)', async () => {
    const body = JSON.stringify({ ...BODY, nested: { apiKey: OTHER }, apiKey: key });
    await post('/v1/json/zabbix').set('Content-Type', 'text/plain').send(body).expect(200);
    expect(stage.seen[0]).toMatchObject({ url: '/v1/json/zabbix', body });
    const gateway = stage.gateway();
    await supertest(gateway)
      .post('/v1/json/zabbix')
      .serialize((sent) => sent as unknown as string)
      .send(body)
      .expect(200);
  });

  it('is found in the JSON of an event of PagerDuty, below an alias of the root too (Q2, Q7)', async () => {
    const body = JSON.stringify({
      event_action: 'trigger',
      apiKey: OTHER,
      payload: { routing_key: OTHER },
      routing_key: key,
    });
    await post('/v2/enqueue').set('Content-Type', 'text/plain').send(body).expect(200);
    await post('/jsm/ops/integration/v2/enqueue').set('Content-Type', 'text/plain').send(body).expect(200);
    expect(stage.seen).toMatchObject([
      { url: '/v2/enqueue', body },
      { url: '/v2/enqueue', body },
    ]);
  });

  it.each([
    ['without a key', {}, 401, 'Could not authenticate'],
    ['with a key of the original', { apiKey: key }, 401, 'Could not authenticate'],
    ['with an unknown key', { routing_key: OTHER }, 401, 'Could not authenticate'],
    ['with a key of another form', { routing_key: '42' }, 400, 'Key format is not valid!'],
    ['without the right to write', { routing_key: readKey }, 403, expect.any(String)],
  ])('refuses an event of PagerDuty %s in the form that its clients read (Q7)', async (_, sent, status, message) => {
    const answer = await post('/v2/enqueue').send(sent).expect(status);
    expect(answer.body).toMatchObject({ status: 'invalid event', message, errors: [message] });
    expect(stage.seen).toEqual([]);
  });

  it.each([
    ['at another path', () => post('/hooks/-').send({ apiKey: key })],
    ['of the API', () => post('/v2/alerts').send({ apiKey: key })],
    ['that is no JSON', () => post('/v1/json/x').send(`{apiKey:${key}`)],
    [
      'that is compressed',
      () =>
        post('/v1/json/x')
          .set('Content-Encoding', 'gzip')
          .send(gzipSync(`{"apiKey":"${key}"}`)),
    ],
    ['that is empty', () => post('/v1/json/x')],
    ['below another name', () => post('/v1/json/x').send({ key })],
  ])('is not looked for in a body %s', async (_, request) => {
    await request().expect(401);
    expect(stage.seen).toEqual([]);
  });

  it.each([
    ['unknown', `/hooks/${OTHER}`, 401],
    ['of the wrong form', '/hooks/not-a-key', 422],
    ['without the right to write', `/hooks/${readKey}`, 403],
  ])('that is %s is refused', async (_, path, status) => {
    const answer = await post(path).send(BODY).expect(status);
    expect(answer.text).not.toContain(path.slice('/hooks/'.length));
    expect(stage.seen).toEqual([]);
  });

  it('is not taken after Bearer or in X-API-Key by the API (K1)', async () => {
    await post('/v2/alerts').set('Authorization', `Bearer ${key}`).send(BODY).expect(401);
    await post('/v2/alerts').set('X-API-Key', key).send(BODY).expect(401);
    expect(stage.seen).toEqual([]);
  });
});

describe('the rate of a key', () => {
  it('is used up by the items of a request (Q4)', async () => {
    const alert = { perSecond: 1, burst: 50 };
    const rate = { perSecond: 100, burst: 100 };
    const rates = {
      alert,
      heartbeat: rate,
      integration: rate,
      configuration: rate,
      search: rate,
      'schedule-oncalls': rate,
    };
    const gateway = stage.gateway({}, { rates });
    stage.answerWith = json(200, {}, { 'X-Item-Count': '50' });
    await supertest(gateway).post(`/hooks/${key}`).send(BODY).expect(200);
    await supertest(gateway).post(`/hooks/${key}`).send(BODY).expect(429);
    expect(stage.throttled).toEqual(['alert']);
  });

  it('of an address bounds the bodies in which a key is looked for (Q2)', async () => {
    const one = { perSecond: 1, burst: 1 };
    const rates = {
      alert: one,
      heartbeat: one,
      integration: one,
      configuration: one,
      search: one,
      'schedule-oncalls': one,
    };
    const gateway = stage.gateway({}, { rates });
    await supertest(gateway).post('/v1/json/x').send(BODY).expect(401);
    await supertest(gateway).post('/v1/json/x').send(BODY).expect(429);
    expect(stage.throttled).toEqual(['keys-in-bodies']);
  });
});

describe('a tool that sends an alert by GET (Q1)', () => {
  it('has its request sent once, also where the service breaks off', async () => {
    stage.answerWith = (request) => {
      request.socket.destroy();
    };
    await supertest(stage.gateway()).get(`/hooks/${key}?message=x`).expect(502);
    expect(stage.seen).toHaveLength(1);
  });

  it('sends none by HEAD', async () => {
    const { headers } = await supertest(stage.gateway()).head(`/hooks/${key}?message=x`).expect(405);
    expect(headers['allow']).toBe('POST, PUT, GET, OPTIONS');
    expect(stage.seen).toEqual([]);
  });
});

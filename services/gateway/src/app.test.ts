import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { PRINCIPAL_HEADER, PrincipalVerifier } from '@tocsin/http';
import { VERSION } from '@tocsin/service';
import { clock, json, key, readKey, SIGNING_KEY, Stage, teamKey, UUID_V7 } from './testing/stage.ts';

const ROLE_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50';

interface RateLimit {
  readonly domain: string;
  readonly limits: readonly unknown[];
}

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});

afterEach(() => stage.stop());

describe('a request', () => {
  it('is forwarded to the owner of its operation unchanged, and so is its answer to the caller', async () => {
    stage.answerWith = json(
      202,
      { result: 'yes', took: 0.002, requestId: 'r' },
      { 'X-Opsgenie-Errortype': 'X', 'Retry-After': '7' },
    );
    const body = '{ "message" : " café ☕ " }';
    const response = await stage
      .request('put', '/v2/alerts/a%2Fb+c/message/?identifierType=alias&x=%2B')
      .type('application/json; charset=utf-8')
      .send(body)
      .expect(202);
    expect(stage.seen).toMatchObject([
      { method: 'PUT', url: '/v2/alerts/a%2Fb+c/message/?identifierType=alias&x=%2B', body },
    ]);
    expect(stage.seen[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.text).toBe('{"result":"yes","took":0.002,"requestId":"r"}');
    expect(response.headers).toMatchObject({ 'x-opsgenie-errortype': 'X', 'retry-after': '7' });
  });

  it('has an answer with the time of the clock of the gateway, also where it is refused', async () => {
    stage.answerWith = json(202, {}, { Date: 'Mon, 05 Jan 2099 08:00:00 GMT' });
    const answers = [
      await stage.request('post', '/v2/alerts').send({ message: 'm' }).expect(202),
      await supertest(stage.gateway()).get('/v2/alerts').expect(401),
    ];
    expect(answers.map(({ headers }) => headers['date'])).toEqual([
      clock.now().toUTCString(),
      clock.now().toUTCString(),
    ]);
  });

  it('of an import is answered only with IMPORT=on', async () => {
    stage.answerWith = json(200, { result: 'Created' });
    const imported = async (app = stage.gateway()) => {
      const { status } = await stage.request('put', `/v2/imports/roles/${ROLE_ID}`, { app }).send({ name: 'Watch' });
      return { status, forwarded: stage.seen.length };
    };
    expect(await imported()).toEqual({ status: 404, forwarded: 0 });
    expect(await imported(stage.gateway({ settings: new Set(['IMPORT']) }))).toEqual({ status: 200, forwarded: 1 });
  });

  it('carries its id and a principal that the service can believe (E3, K6)', async () => {
    const response = await stage.request('post', '/v2/alerts', { withKey: teamKey }).send({ message: 'm' });
    const headers = stage.seen[0]?.headers ?? {};
    expect(headers['x-request-id']).toBe(response.headers['x-request-id']);
    expect(
      await new PrincipalVerifier([SIGNING_KEY], 'alert-ingest').verify(
        headers[PRINCIPAL_HEADER] as string,
        clock.now(),
      ),
    ).toEqual({
      kind: 'key',
      integrationId: '3',
      integrationName: 'Default API',
      integrationType: 'API',
      teamId: 'team',
      mayRead: true,
      mayWrite: true,
      mayConfigure: true,
    });
  });

  it('cannot bring its own principal: only harmless headers are forwarded (K6)', async () => {
    await stage
      .request('post', '/v2/alerts')
      .set(PRINCIPAL_HEADER, 'forged')
      .set('X-Tocsin-Public-Url', 'http://evil.example')
      .set('X-Request-ID', 'mine')
      .set('X-Forwarded-For', '198.51.100.1')
      .set('Connection', 'close, x-extra')
      .set('X-Extra', 'yes')
      .set('User-Agent', 'curl')
      .set('Host', 'tocsin.example.com');
    const headers = stage.seen[0]?.headers ?? {};
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-tocsin-public-url': 'http://tocsin.example.com',
      'user-agent': 'curl',
    });
    expect(headers[PRINCIPAL_HEADER]).not.toBe('forged');
    expect(headers['x-request-id']).toMatch(UUID_V7);
    expect(headers).not.toHaveProperty('x-extra');
    expect(headers).not.toHaveProperty('authorization');
  });

  it('has the caller that trusted proxies name, and the URL of the setting (A3, A12)', async () => {
    const app = stage.gateway({ trustedProxies: 1, publicUrl: 'https://tocsin.example.com' });
    await stage.request('post', '/v2/alerts', { app }).set('X-Forwarded-For', 'claimed, 198.51.100.1');
    expect(stage.seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '198.51.100.1',
      'x-tocsin-public-url': 'https://tocsin.example.com',
    });
  });

  it('may carry its key in the query, which goes no further (K1)', async () => {
    await supertest(stage.gateway()).post(`/v2/alerts?apiKey=${key}&x=1`).expect(202);
    expect(stage.seen[0]?.url).toBe('/v2/alerts?x=1');
    expect(JSON.stringify(stage.seen)).not.toContain(key);
  });

  it('without a body is forwarded without one, also with an empty content type (E5)', async () => {
    await stage.request('post', '/v2/alerts/x/close').set('Content-Type', '').expect(202);
    expect(stage.seen[0]?.body).toBe('');
    expect(stage.seen[0]?.headers).toMatchObject({ 'content-length': '0' });
    expect(stage.seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('of GET loses its body (E5)', async () => {
    await stage.request('get', '/v2/alerts').type('json').send('{"ignored":true}').expect(202);
    expect(stage.seen[0]?.body).toBe('');
  });
});

describe('a path', () => {
  it('that is not documented is not found, with or without a key', async () => {
    for (const path of ['/', '/docs', '/v1/incidents', '/internal/states/teams.v1', '/v2/alerts/%E0%A4%A']) {
      const response = await supertest(stage.gateway()).get(path).expect(404);
      expect(response.body).toMatchObject({ message: 'No handler found' });
    }
    expect(stage.seen).toEqual([]);
  });

  it('that is not built is not found after the rights check', async () => {
    const response = await stage.request('get', '/v2/heartbeats/x').expect(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
    await supertest(stage.gateway()).get('/v2/heartbeats/x').expect(401);
  });

  it('that does not take the method lists those that it takes', async () => {
    const response = await stage.request('put', '/v2/alerts').expect(405);
    expect(response.headers['allow']).toBe('POST, GET, HEAD, OPTIONS');
  });
});

describe('a body', () => {
  it.each([
    ['announced', { 'Content-Length': '262145' }],
    ['not announced', {}],
  ])(
    'over the length of its operation is refused before it is forwarded, its length being %s (E2)',
    async (_, headers) => {
      const { request, answer, server } = await stage.open(headers);
      request.end(Buffer.alloc(262_145, 'x'));
      expect((await answer).statusCode).toBe(413);
      server.close();
      expect(stage.seen).toEqual([]);
    },
  );

  it('that is said to be huge is refused before it is sent', async () => {
    const { request, answer, server } = await stage.open({ 'Content-Length': '1000000000000' });
    request.flushHeaders();
    expect((await answer).statusCode).toBe(413);
    request.destroy();
    server.close();
  });

  it('of that length is forwarded', async () => {
    const text = `"${'x'.repeat(262_142)}"`;
    await stage.request('post', '/v2/alerts').type('json').send(text).expect(202);
    expect(stage.seen[0]?.body).toBe(text);
  });

  it('of operations that switch something or read the key may be 16 KiB', async () => {
    const path = '/v2/integrations/authenticate';
    const refused = await stage
      .request('post', path)
      .type('json')
      .send(`"${'x'.repeat(16_383)}"`)
      .expect(413);
    expect(refused.body).toMatchObject({ message: 'Request body is larger than 16 KiB.' });
    await stage
      .request('post', path)
      .type('json')
      .send(`"${'x'.repeat(16_382)}"`)
      .expect(202);
  });

  it('that the caller breaks off reaches no service', async () => {
    const { request, server } = await stage.open({ 'Content-Length': '100' });
    const left = new Promise<void>((resolve) => {
      server.once('request', (arrived: IncomingMessage) => {
        arrived.once('close', resolve);
        request.destroy();
      });
    });
    request.write('{"message":');
    await left;
    server.close();
    expect(stage.seen).toEqual([]);
    expect(stage.defects).toEqual([]);
  });
});

describe('the rate limits', () => {
  it.each(['/v2/request-limits', '/v2/request-limits/'])(
    'at %s are sent to any valid key, in windows that no caller can use up (E16, K3)',
    async (path) => {
      for (const withKey of [key, readKey, teamKey]) {
        const answer = await stage.request('get', path, { withKey }).expect(200);
        const { data, took, requestId } = answer.body as {
          data: { rateLimits: RateLimit[] };
          took: number;
          requestId: string;
        };
        expect([took > 0, UUID_V7.test(requestId)]).toEqual([true, true]);
        const windows = new Map(data.rateLimits.map(({ domain, limits }) => [domain, limits]));
        for (const domain of ['alert', 'heartbeat', 'integration', 'configuration', 'search', 'schedule-oncalls'])
          expect(windows.get(domain)).toEqual([
            { limit: 1_000_000, periodInSeconds: 1 },
            { limit: 1_000_000, periodInSeconds: 60 },
          ]);
      }
      await supertest(stage.gateway()).get(path).expect(401);
      expect(stage.seen).toEqual([]);
    },
  );
});

describe('a Host', () => {
  it.each([
    '',
    'a b',
    'evil.example/path',
    'user@evil.example',
    'x:99999999',
    'x:port',
    '[::1',
    'a'.repeat(300),
    'x"y',
    'x?y',
  ])('of %j is refused: links are made of it (A12)', async (host) => {
    const response = await stage.request('get', '/v2/alerts').set('Host', host).expect(400);
    expect(response.body).toMatchObject({ message: 'The header Host is not a host.' });
    expect(stage.seen).toEqual([]);
  });

  it.each(['tocsin.example.com', 'x:8080', '127.0.0.1:3000', '[::1]:3000', 'a_b', 'xn--bcher-kva.example.'])(
    'of %s is taken',
    async (host) => {
      await stage.request('get', '/v2/alerts').set('Host', host).expect(202);
      expect(stage.seen[0]?.headers['x-tocsin-public-url']).toBe(`http://${host}`);
    },
  );

  it('has no effect where the setting names the URL (A12)', async () => {
    const app = stage.gateway({ publicUrl: 'https://tocsin.example.com' });
    await stage.request('get', '/v2/alerts', { app }).set('Host', 'other.example').expect(202);
    expect(stage.seen[0]?.headers['x-tocsin-public-url']).toBe('https://tocsin.example.com');
  });
});

describe('/healthz', () => {
  it('says without a key whether the gateway takes work', async () => {
    expect((await supertest(stage.gateway()).get('/healthz').expect(200)).body).toMatchObject({
      result: 'OK',
      version: VERSION,
    });
    stage.isReady = false;
    const response = await supertest(stage.gateway()).get('/healthz').expect(503);
    expect(response.body).toMatchObject({ message: 'The gateway is not ready.' });
  });
});

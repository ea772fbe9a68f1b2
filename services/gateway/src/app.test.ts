import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import supertest from 'supertest';
import { ManualClock } from '@tocsin/clock';
import type { IntegrationState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { hashKey, PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@tocsin/key-auth';
import { MemoryReplica } from '@tocsin/messaging';
import { createApp, type GatewayOptions } from './app.ts';
import { Authentication } from './application/authentication.ts';
import { Upstream } from './http/upstream.ts';
import { KEY_INDEXES, ReplicaKeyDirectory } from './storage/replica-key-directory.ts';

const SIGNING_KEY = 'a-signing-key-of-the-installation';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
const readKey = '1f8fad5b-d9cb-469f-a165-70867728950e';
const teamKey = '2f8fad5b-d9cb-469f-a165-70867728950e';
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));

const integration = (id: string, itsKey: string, changes: Partial<IntegrationState> = {}): IntegrationState => ({
  id,
  name: 'Default API',
  type: 'API',
  enabled: true,
  allowWriteAccess: true,
  allowConfigurationAccess: true,
  suppressNotifications: false,
  keyHash: hashKey(itsKey),
  ...changes,
});

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let integrations: MemoryReplica<IntegrationState>;
let seen: Seen[];
let answerWith: RequestListener;
let defects: unknown[];
let log: [string, string][];
let service: Server;
let upstream: Upstream;
let isReady: boolean;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => {
  const text = JSON.stringify(body);
  return (_, response) => {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    });
    response.end(text);
  };
};

function gateway(options: Partial<GatewayOptions> = {}): Express {
  return createApp({
    authentication: new Authentication({ keys: new ReplicaKeyDirectory(integrations), clock, schemes: ['GenieKey'] }),
    upstreams: new Map([
      ['alert-ingest', upstream],
      ['alert-processor', upstream],
      ['directory', upstream],
    ]),
    signer: new PrincipalSigner([SIGNING_KEY]),
    clock,
    publicUrl: undefined,
    trustedProxies: 0,
    isReady: () => Promise.resolve(isReady),
    onDefect: (error) => defects.push(error),
    ...options,
  });
}

const upstreamAt = (server: Server, { maxUnderWay = 100, timeoutMs = 10_000 } = {}) =>
  new Upstream({
    name: 'alert-ingest',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timeoutMs,
    maxUnderWay,
    logger: {
      info: (_: object, text: string) => log.push(['info', text]),
      warn: (_: object, text: string) => log.push(['warn', text]),
    } as never,
  });

const ask = (
  method: 'get' | 'post' | 'put' | 'delete' | 'head',
  path: string,
  { withKey = key, app = gateway() }: { withKey?: string; app?: Express } = {},
) => supertest(app)[method](path).set('Authorization', `GenieKey ${withKey}`);

/** A request to `/v2/alerts` on a real connection, the course of which is up to the test. */
async function open(headers: Record<string, string>, method = 'POST') {
  const server = createServer(gateway());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method,
    path: '/v2/alerts',
    headers: { Authorization: `GenieKey ${key}`, ...headers },
  });
  const answer = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  request.on('error', () => undefined);
  return { request, answer, server };
}

beforeEach(async () => {
  integrations = new MemoryReplica<IntegrationState>(KEY_INDEXES);
  integrations.put('1', integration('1', key));
  integrations.put('2', integration('2', readKey, { allowWriteAccess: false, allowConfigurationAccess: false }));
  integrations.put('3', integration('3', teamKey, { ownerTeamId: 'team' }));
  seen = [];
  defects = [];
  log = [];
  isReady = true;
  answerWith = json(202, { result: 'Request will be processed' });
  service = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answerWith(request, response);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  upstream = upstreamAt(service);
});

afterEach(async () => {
  service.closeAllConnections();
  service.close();
  await upstream.close();
});

describe('a request', () => {
  it('goes on to the owner of its operation as it was sent, and its answer comes back as it was given', async () => {
    answerWith = json(
      202,
      { result: 'yes', took: 0.002, requestId: 'r' },
      { 'X-Opsgenie-Errortype': 'X', 'Retry-After': '7' },
    );
    const body = '{ "message" : " café ☕ " }';
    const response = await ask('put', '/v2/alerts/a%2Fb+c/message/?identifierType=alias&x=%2B')
      .type('application/json; charset=utf-8')
      .send(body)
      .expect(202);
    expect(seen).toMatchObject([
      { method: 'PUT', url: '/v2/alerts/a%2Fb+c/message/?identifierType=alias&x=%2B', body },
    ]);
    expect(seen[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.text).toBe('{"result":"yes","took":0.002,"requestId":"r"}');
    expect(response.headers).toMatchObject({ 'x-opsgenie-errortype': 'X', 'retry-after': '7' });
  });

  it('carries its id and a principal that the service can believe (E3, K6)', async () => {
    const response = await ask('post', '/v2/alerts', { withKey: teamKey }).send({ message: 'm' });
    const headers = seen[0]?.headers ?? {};
    expect(headers['x-request-id']).toBe(response.headers['x-request-id']);
    expect(await new PrincipalVerifier([SIGNING_KEY]).verify(headers[PRINCIPAL_HEADER] as string, clock.now())).toEqual(
      {
        integrationId: '3',
        integrationName: 'Default API',
        integrationType: 'API',
        teamId: 'team',
        mayWrite: true,
        mayConfigure: true,
      },
    );
  });

  it('cannot vouch for itself: of its headers only harmless ones go on (K6)', async () => {
    await ask('post', '/v2/alerts')
      .set(PRINCIPAL_HEADER, 'forged')
      .set('X-Tocsin-Public-Url', 'http://evil.example')
      .set('X-Request-ID', 'mine')
      .set('X-Forwarded-For', '198.51.100.1')
      .set('Connection', 'close, x-extra')
      .set('X-Extra', 'yes')
      .set('User-Agent', 'curl')
      .set('Host', 'tocsin.example.com');
    const headers = seen[0]?.headers ?? {};
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

  it('names the caller that proxies of ours name, and the address that the setting gives (A3, A12)', async () => {
    const app = gateway({ trustedProxies: 1, publicUrl: 'https://tocsin.example.com' });
    await ask('post', '/v2/alerts', { app }).set('X-Forwarded-For', 'claimed, 198.51.100.1');
    expect(seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '198.51.100.1',
      'x-tocsin-public-url': 'https://tocsin.example.com',
    });
  });

  it('may carry its key in the query, which goes no further (K1)', async () => {
    await supertest(gateway()).post(`/v2/alerts?apiKey=${key}&x=1`).expect(202);
    expect(seen[0]?.url).toBe('/v2/alerts?x=1');
    expect(JSON.stringify(seen)).not.toContain(key);
  });

  it('without a body goes on without one, under an empty content type too (E5)', async () => {
    await ask('post', '/v2/alerts/x/close').set('Content-Type', '').expect(202);
    expect(seen[0]?.body).toBe('');
    expect(seen[0]?.headers).toMatchObject({ 'content-length': '0' });
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('of GET loses its body (E5)', async () => {
    await ask('get', '/v2/alerts').type('json').send('{"ignored":true}').expect(202);
    expect(seen[0]?.body).toBe('');
  });
});

describe('a key', () => {
  it.each([
    ['absent', undefined, 401, 'Could not authenticate'],
    ['unknown', 'GenieKey 9f8fad5b-d9cb-469f-a165-70867728950e', 401, 'Could not authenticate'],
    ['of the wrong form', 'GenieKey 42', 422, 'Key format is not valid!'],
  ])('that is %s is refused (E4)', async (_, authorization, status, message) => {
    const request = supertest(gateway()).post('/v2/alerts');
    const response = await (authorization === undefined ? request : request.set('Authorization', authorization)).expect(
      status,
    );
    expect(response.body).toMatchObject({ message });
    expect(seen).toEqual([]);
  });

  it('of a disabled integration is refused (K2)', async () => {
    integrations.put('1', integration('1', key, { enabled: false }));
    await ask('post', '/v2/alerts').expect(401);
    expect(seen).toEqual([]);
  });

  it('that nobody can be asked about gives 503, not 401 (E2)', async () => {
    integrations.refuseWith(new UnavailableError('away'));
    const response = await ask('post', '/v2/alerts', { withKey: '9f8fad5b-d9cb-469f-a165-70867728950e' }).expect(503);
    expect(response.headers['retry-after']).toBe('1');
  });

  it('without the right is refused before the service hears of it (K3, K8)', async () => {
    const reading = await ask('post', '/v2/alerts', { withKey: readKey }).expect(403);
    expect(reading.text).toMatch(/^\{"code":40301,"message":"To perform this action, use an API key/);
    await ask('get', '/v2/users', { withKey: readKey }).expect(403);
    const ofTeam = await ask('post', '/v2/teams', { withKey: teamKey }).expect(403);
    expect(ofTeam.body).toMatchObject({ message: 'Team API Keys are not authorized to perform this action.' });
    expect(seen).toEqual([]);
  });
});

describe('a path', () => {
  it('that is not documented is not found, with or without a key', async () => {
    for (const path of ['/', '/docs', '/v1/incidents', '/internal/states/teams.v1', '/v2/alerts/%E0%A4%A']) {
      const response = await supertest(gateway()).get(path).expect(404);
      expect(response.body).toMatchObject({ message: 'No handler found' });
    }
    expect(seen).toEqual([]);
  });

  it('that is not built is not found after the rights check', async () => {
    const response = await ask('get', '/v2/request-limits').expect(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
    await supertest(gateway()).get('/v2/request-limits').expect(401);
  });

  it('that does not take the method says which it takes', async () => {
    const response = await ask('put', '/v2/alerts').expect(405);
    expect(response.headers['allow']).toBe('POST, GET');
    await ask('head', '/v2/alerts').expect(405);
  });
});

describe('a body', () => {
  it.each([
    ['announced', { 'Content-Length': '1048577' }],
    ['not announced', {}],
  ])('over 1 MiB is refused unheard, its length being %s (E2)', async (_, headers) => {
    const { request, answer, server } = await open(headers);
    request.end(Buffer.alloc(1_048_577, 'x'));
    expect((await answer).statusCode).toBe(413);
    server.close();
    expect(seen).toEqual([]);
  });

  it('that is said to be huge is refused before it is sent', async () => {
    const { request, answer, server } = await open({ 'Content-Length': '1000000000000' });
    request.flushHeaders();
    expect((await answer).statusCode).toBe(413);
    request.destroy();
    server.close();
  });

  it('of 1 MiB goes on', async () => {
    const text = `"${'x'.repeat(1_048_574)}"`;
    await ask('post', '/v2/alerts').type('json').send(text).expect(202);
    expect(seen[0]?.body).toBe(text);
  });

  it('that the caller breaks off reaches nobody', async () => {
    const { request, server } = await open({ 'Content-Length': '100' });
    const left = new Promise<void>((resolve) => {
      server.once('request', (arrived: IncomingMessage) => {
        arrived.once('close', resolve);
        request.destroy();
      });
    });
    request.write('{"message":');
    await left;
    server.close();
    expect(seen).toEqual([]);
    expect(defects).toEqual([]);
  });
});

describe('trouble with a service', () => {
  it('that is away is a 503 that may be tried again, said once in the log', async () => {
    service.close();
    const app = gateway();
    const response = await ask('post', '/v2/alerts', { app }).expect(503);
    await ask('post', '/v2/alerts', { app }).expect(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(log).toEqual([['warn', 'a service does not answer']]);
  });

  it('that is silent is a 504', async () => {
    answerWith = () => undefined;
    const impatient = upstreamAt(service, { timeoutMs: 200 });
    await ask('post', '/v2/alerts', { app: gateway({ upstreams: new Map([['alert-ingest', impatient]]) }) }).expect(
      504,
    );
    expect(seen).toHaveLength(1);
    service.closeAllConnections();
    await impatient.close();
  });

  it('that breaks off its answer is a 502, and only a GET is tried once more', async () => {
    answerWith = (_, response) => {
      response.writeHead(200, { 'Content-Length': '100', 'Content-Type': 'text/plain', 'X-Half': 'yes' });
      response.write('{"result"');
      setImmediate(() => response.destroy());
    };
    const response = await ask('post', '/v2/alerts').expect(502);
    expect(response.headers).not.toHaveProperty('x-half');
    expect(response.body).toHaveProperty('message');
    expect(seen).toHaveLength(1);
    await ask('get', '/v2/alerts').expect(502);
    expect(seen).toHaveLength(3);
  });

  it('that hangs up once on a GET is not noticed by the caller', async () => {
    answerWith = (request) => {
      answerWith = json(200, { data: [] });
      request.socket.destroy();
    };
    const response = await ask('get', '/v2/alerts').expect(200);
    expect(response.body).toEqual({ data: [] });
  });

  it('that breaks off a long answer cuts the connection of the caller', async () => {
    answerWith = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('[');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(ask('get', '/v2/alerts')).rejects.toThrow('aborted');
  });

  it('is none when a caller leaves in the middle of a long answer: the service is let go', async () => {
    const over = new Promise<void>((resolve) => {
      answerWith = (_, response) => {
        response.once('close', resolve);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.write('[');
      };
    });
    const { request, answer, server } = await open({}, 'GET');
    request.end();
    (await answer).destroy();
    await over;
    server.close();
    expect(log).toEqual([]);
  });

  it('that has too much to do already is a 503', async () => {
    const full = upstreamAt(service, { maxUnderWay: 0 });
    await ask('post', '/v2/alerts', { app: gateway({ upstreams: new Map([['alert-ingest', full]]) }) }).expect(503);
    await full.close();
    expect(seen).toEqual([]);
  });

  it('is over when the service answers again, and a service that comes and goes does not fill the log', async () => {
    const app = gateway();
    for (let round = 0; round < 3; round += 1) {
      answerWith = (request) => request.socket.destroy();
      await ask('post', '/v2/alerts', { app }).expect(502);
      answerWith = json(202, {});
      await ask('post', '/v2/alerts', { app }).expect(202);
    }
    expect(log.map(([level]) => level)).toEqual(['warn', 'info']);
  });
});

describe('an answer', () => {
  it('of any length arrives whole', async () => {
    const data = 'x'.repeat(3_000_000);
    answerWith = json(200, { data });
    const announced = await ask('get', '/v2/alerts').expect(200);
    expect(announced.body).toEqual({ data });
    answerWith = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data }));
    const chunked = await ask('get', '/v2/alerts').expect(200);
    expect(chunked.body).toEqual({ data });
  });

  it('always says its request, its time and the state of the rate limit (E3)', async () => {
    answerWith = json(200, {}, { 'X-Request-ID': 'other', 'X-Response-Time': '0' });
    const responses = [
      await ask('get', '/v2/alerts').expect(200),
      await ask('post', '/v2/alerts', { withKey: readKey }).expect(403),
      await supertest(gateway()).get('/nowhere').expect(404),
      await supertest(gateway()).get('/healthz').expect(200),
      await ask('put', '/v2/alerts').expect(405),
    ];
    service.closeAllConnections();
    service.close();
    responses.push(await ask('post', '/v2/alerts').expect(503));
    for (const { headers } of responses) {
      expect(headers['x-request-id']).toMatch(UUID_V7);
      expect(Number(headers['x-response-time'])).toBeGreaterThanOrEqual(0.001);
      expect(headers['x-ratelimit-state']).toBe('OK');
    }
    for (const { headers, body } of responses.slice(1)) {
      expect((body as { requestId: string }).requestId).toBe(headers['x-request-id']);
    }
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(responses.length);
  });

  it('of a service that has enough says so (E3)', async () => {
    answerWith = json(429, {}, { 'X-RateLimit-State': 'THROTTLED' });
    const response = await ask('get', '/v2/alerts').expect(429);
    expect(response.headers['x-ratelimit-state']).toBe('THROTTLED');
  });

  it('to a defect of ours tells nothing and is reported', async () => {
    const broken = { forward: () => Promise.reject(new TypeError('secret')) };
    const app = gateway({ upstreams: new Map([['alert-ingest', broken]]) });
    const response = await ask('post', '/v2/alerts', { app }).expect(500);
    expect(response.body).toMatchObject({ message: 'Internal Server Error' });
    expect(defects).toHaveLength(1);
  });
});

describe('/healthz', () => {
  it('says without a key whether the gateway takes work', async () => {
    expect((await supertest(gateway()).get('/healthz').expect(200)).body).toMatchObject({ result: 'OK' });
    isReady = false;
    const response = await supertest(gateway()).get('/healthz').expect(503);
    expect(response.body).toMatchObject({ message: 'The gateway is not ready.' });
  });
});

import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { OPERATIONS } from '@tocsin/api';
import { json, key, readKey, type Stage } from '../testing/stage.ts';
import { read, Transfers } from '../testing/transfers.ts';

let transfers: Transfers;
let stage: Stage;

beforeEach(async () => {
  transfers = await Transfers.start();
  ({ stage } = transfers);
});

afterEach(() => transfers.stop());

/** The same for the same request, whenever it is asked. */
function lasting({ headers }: supertest.Response): Record<string, unknown> {
  const changing = new Set(['date', 'x-request-id', 'x-response-time']);
  return Object.fromEntries(Object.entries(headers as object).filter(([name]) => !changing.has(name)));
}

const pathOf = ({ path }: { readonly path: string }): string => path.replaceAll(/\{\w+\}/g, 'x');
/** Whether `path` may mean the operation: a fixed word of the API may be an identifier as well. */
const fits = (operation: { readonly path: string }, path: string): boolean =>
  new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
const PATHS = [...new Set(OPERATIONS.map(pathOf))];

describe('HEAD', () => {
  it('answers as the GET of its path does, without the body', async () => {
    stage.answerWith = json(200, { data: 'é'.repeat(1_000) }, { 'X-Opsgenie-Errortype': 'X' });
    const app = stage.gateway();
    for (const path of ['/v2/alerts', '/v2/users/x?expand=contact', '/v2/attachments/token', '/v2/request-limits']) {
      const got = await stage.request('get', path, { app });
      const head = await stage.request('head', path, { app });
      expect([path, head.status, lasting(head), head.text]).toEqual([path, got.status, lasting(got), undefined]);
      expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(got.text));
    }
    const [, asked] = stage.seen;
    expect(stage.seen.map(({ method }) => method)).toEqual(Array.from({ length: 6 }, () => 'GET'));
    expect(asked?.url).toBe('/v2/alerts');
  });

  it('is refused as the GET of its path is', async () => {
    const app = stage.gateway();
    const refusals = [
      [await supertest(app).head('/v2/alerts'), 401],
      [await stage.request('head', '/v2/users', { app, withKey: readKey }), 403],
      [await stage.request('head', '/v2/nothing', { app }), 404],
      [await stage.request('head', '/v2/heartbeats/x', { app }), 404],
    ] as const;
    for (const [{ headers, status, text }, expected] of refusals) {
      expect([status, text]).toEqual([expected, undefined]);
      expect(headers['x-request-id']).toBeDefined();
      expect(Number(headers['content-length'])).toBeGreaterThan(0);
    }
    expect(stage.seen).toEqual([]);
  });

  it('is refused with what there is where the path has no GET', async () => {
    const response = await stage.request('head', '/v2/alerts/x/close').expect(405);
    expect(response.headers['allow']).toBe('POST, OPTIONS');
  });

  it('of a long file ends the request to the service at once, and the connection stays open', async () => {
    const left = new Promise<void>((resolve) => {
      transfers.behave = (_, response) => {
        response.writeHead(200, { 'Content-Length': '50000000' }).once('close', resolve);
        Readable.from(Array.from({ length: 500 }, () => Buffer.alloc(100_000))).pipe(response);
      };
    });
    const port = await transfers.gateway();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (method: string, path: string): Promise<IncomingMessage> => {
      const headers = { Authorization: `GenieKey ${key}` };
      const request = httpRequest({ host: '127.0.0.1', port, method, path, agent, headers }).end();
      return ((await once(request, 'response')) as [IncomingMessage])[0];
    };
    const head = await ask('HEAD', '/v2/attachments/token');
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, '50000000']);
    expect(await read(head)).toHaveLength(0);
    await left;
    expect((await ask('GET', '/healthz')).resume().statusCode).toBe(200);
    expect([transfers.connections.length, stage.log]).toEqual([1, []]);
    agent.destroy();
  });
});

describe('OPTIONS', () => {
  it('lists the methods of every documented path, without a key and without a request to a service', async () => {
    const app = stage.gateway();
    for (const path of PATHS) {
      const response = await supertest(app).options(path).expect(200);
      const { methods } = (response.body as { data: { methods: string[] } }).data;
      const operations = OPERATIONS.filter((operation) => fits(operation, path));
      const documented = [...new Set(operations.map(({ method }) => method))];
      const hasRead = operations.some(({ method, right }) => method === 'GET' && right !== 'send');
      const expected = [...documented, ...(hasRead ? ['HEAD'] : []), 'OPTIONS'];
      expect([path, methods.toSorted()]).toEqual([path, expected.toSorted()]);
      expect(response.headers['allow']).toBe(methods.join(', '));
      expect(response.body).toMatchObject({ requestId: response.headers['x-request-id'] });
    }
    expect(stage.seen).toEqual([]);
  });

  it.each(['/', '/v2/nothing', '*'])('finds nothing at %s', async (path) => {
    const port = await transfers.gateway();
    const request = httpRequest({ host: '127.0.0.1', port, method: 'OPTIONS', path }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([response.statusCode, (await read(response)).toString()]).toEqual([
      404,
      expect.stringContaining('No handler found'),
    ]);
  });
});

describe('/healthz', () => {
  it('takes GET and HEAD, and says so', async () => {
    const app = stage.gateway();
    await supertest(app).head('/healthz').expect(200);
    expect((await supertest(app).options('/healthz').expect(200)).headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await supertest(app).post('/healthz').expect(405)).headers['allow']).toBe('GET, HEAD, OPTIONS');
    stage.isReady = false;
    await supertest(app).head('/healthz').expect(503);
  });
});

describe('a script of a page in a browser', () => {
  const PAGE = 'https://status.example.com';
  const OTHERS = ['https://evil.example.com', 'http://status.example.com', 'https://status.example.com:8443', 'null'];
  const corsOrigins = ['https://a.example.com', PAGE];

  it('may send no requests unless the setting names its origin', async () => {
    const response = await stage.request('get', '/v2/alerts').set('Origin', PAGE).expect(202);
    expect(Object.keys(response.headers as object).filter((name) => /^access-control|^vary/.test(name))).toEqual([]);
  });

  it('gets the methods and headers that it may send by a preflight request, without a key', async () => {
    const preflight = await supertest(stage.gateway({ corsOrigins }))
      .options('/v2/alerts')
      .set('Origin', PAGE)
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', 'authorization,content-type')
      .expect(200);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'Authorization,Content-Type',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(stage.seen).toEqual([]);
  });

  it('may read every answer and what its headers say, refusals among them', async () => {
    const app = stage.gateway({ corsOrigins });
    const answers = [
      await stage.request('get', '/v2/alerts', { app }).set('Origin', PAGE).expect(202),
      await supertest(app).get('/v2/alerts').set('Origin', PAGE).expect(401),
      await stage.request('get', '/nowhere', { app }).set('Origin', PAGE).expect(404),
      await stage.request('put', '/v2/alerts', { app }).set('Origin', PAGE).expect(405),
    ];
    stage.answerWith = json(429, {}, { 'X-RateLimit-State': 'THROTTLED' });
    answers.push(await stage.request('get', '/v2/alerts', { app }).set('Origin', PAGE).expect(429));
    stage.answerWith = (request) => request.socket.destroy();
    answers.push(await stage.request('post', '/v2/alerts', { app }).set('Origin', PAGE).expect(502));
    stage.service.closeAllConnections();
    stage.service.close();
    answers.push(await stage.request('post', '/v2/alerts', { app }).set('Origin', PAGE).expect(503));
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' });
      const exposed = String(headers['access-control-expose-headers']).split(',');
      expect(exposed).toEqual(expect.arrayContaining(['X-Request-ID', 'X-RateLimit-State', 'Retry-After']));
    }
  });

  it.each(OTHERS)('of %s is not let in by a setting that names others', async (origin) => {
    const app = stage.gateway({ corsOrigins });
    for (const response of [
      await supertest(app).options('/v2/alerts').set('Origin', origin).set('Access-Control-Request-Method', 'POST'),
      await stage.request('get', '/v2/alerts', { app }).set('Origin', origin),
    ]) {
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers['vary']).toBe('Origin');
    }
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { DOMAINS } from '@tocsin/api';
import type { Rates } from '../rate-limit/request-limits.ts';
import { Stage, UUID_V7 } from '../testing/stage.ts';
import { ApiDescription } from './api-description.ts';

const DOCUMENT = { openapi: '3.1.1', info: { title: 'Tocsin', version: '2' } };
const SCRIPT = Buffer.from('globalThis.Scalar = {};');
const FILES = ['/openapi.json', '/docs', '/docs/page.js', '/docs/scalar.js'];
const whole = new ApiDescription({ document: DOCUMENT, script: SCRIPT });

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});
afterEach(() => stage.stop());

const asked = (description = whole) =>
  supertest(stage.gateway({ description, upstreams: new Map(), isReady: () => Promise.resolve(false) }));

describe('/openapi.json', () => {
  it('is answered without a key while no service answers, with the headers of every answer (E3)', async () => {
    const { status, text, headers } = await asked().get('/openapi.json?from=tests');
    expect([status, JSON.parse(text), headers['content-type']]).toEqual([200, DOCUMENT, 'application/json']);
    expect(headers['x-request-id']).toMatch(UUID_V7);
    expect(Number(headers['x-response-time'])).toBeGreaterThan(0);
    expect(headers['x-ratelimit-state']).toBe('OK');
  });

  it('is not sent again to a caller that has it', async () => {
    const { headers } = await asked().get('/openapi.json');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await asked()
      .get('/openapi.json')
      .set('If-None-Match', headers['etag'] ?? '');
    expect([again.status, again.text]).toEqual([304, '']);
    const stale = await asked().get('/openapi.json').set('If-None-Match', '"other"');
    expect([stale.status, stale.body]).toEqual([200, DOCUMENT]);
  });
});

describe('a file of the description', () => {
  const file = { openapi: '3.1.1', text: 'x'.repeat(200_000) };

  it('is gzip for a caller that accepts it, with the same ETag', async () => {
    const description = new ApiDescription({ document: file, script: SCRIPT });
    const zipped = await asked(description).get('/openapi.json').set('Accept-Encoding', 'br, gzip;q=0.8');
    expect([zipped.headers['content-encoding'], zipped.body]).toEqual(['gzip', file]);
    expect(Number(zipped.headers['content-length'])).toBeLessThan(2_000);
    for (const encodings of ['identity', 'br', 'gzip;q=0', 'deflate']) {
      const plain = await asked(description).get('/openapi.json').set('Accept-Encoding', encodings);
      expect([plain.headers['content-encoding'], plain.headers['etag'], plain.headers['vary']]).toEqual([
        undefined,
        zipped.headers['etag'],
        'Accept-Encoding',
      ]);
    }
  });

  it('has a rate for each address, in which its bytes count', async () => {
    const rates = Object.fromEntries(DOMAINS.map((domain) => [domain, { perSecond: 1, burst: 3 }])) as Exclude<
      Rates,
      'off'
    >;
    const description = new ApiDescription({ document: file, script: SCRIPT });
    const app = supertest(stage.gateway({ description }, { rates }));
    const read = (encodings: string) => app.get('/openapi.json').set('Accept-Encoding', encodings);
    expect((await read('gzip')).status).toBe(200);
    expect((await read('identity')).status).toBe(200);
    const refused = await read('gzip');
    expect([refused.status, refused.headers['x-ratelimit-reason']]).toEqual([429, 'ADDRESS']);
    expect(stage.throttled).toEqual(['files']);
  });
});

describe('each file of the description', () => {
  it.each(FILES)('%s takes GET alone: other methods get 405', async (path) => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const { status, headers } = await asked()[method](path);
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    const { status, headers } = await asked().options(path);
    expect([status, headers['allow']]).toEqual([200, 'GET, HEAD, OPTIONS']);
  });

  it.each(FILES)('%s has a head without a body, and is the same with a slash behind it', async (path) => {
    const read = await asked().get(path).set('Accept-Encoding', 'gzip');
    const head = await asked().head(path).set('Accept-Encoding', 'gzip');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([
      200,
      read.headers['content-length'],
      undefined,
    ]);
    expect((await asked().get(`${path}/`)).headers['etag']).toBe(read.headers['etag']);
  });
});

describe('a caller that reads nothing of a file', () => {
  let gateway: Server;

  afterEach(() => {
    gateway.closeAllConnections();
    gateway.close();
  });

  it('is cut off when the time is over that its bytes may take, and keeps no connection', async () => {
    const description = new ApiDescription({ document: DOCUMENT, script: Buffer.alloc(50_000_000) });
    const transferTimeout = { timeoutMs: 200, leastBytesPerSecond: 1_000_000_000 };
    gateway = createServer(stage.gateway({ description, transferTimeout })).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const caller = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    caller.on('error', () => undefined).write('GET /docs/scalar.js HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [connection] = (await once(gateway, 'connection')) as [Socket];
    await once(connection, 'close');
    expect(caller.bytesRead).toBeLessThan(50_000_000);
    caller.destroy();
  });
});

describe('/docs', () => {
  it('is there where its script is given, and not otherwise', async () => {
    const without = new ApiDescription({ document: DOCUMENT, script: undefined });
    for (const path of FILES.slice(1)) {
      expect((await asked().get(path)).status).toBe(200);
      expect((await asked(without).get(path)).status).toBe(404);
    }
    expect((await asked(without).get('/openapi.json')).status).toBe(200);
  });

  it('loads nothing from another host, has no inline script and is shown in no frame', async () => {
    const { text, headers } = await asked().get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(text).not.toMatch(/https?:|<style|<script>|style=/);
    expect([...text.matchAll(/src="([^"]*)"/g)].map(([, src]) => src)).toEqual(['/docs/scalar.js', '/docs/page.js']);
  });

  it('loads the description of this host alone, without telemetry and fonts of others', async () => {
    const { text } = await asked().get('/docs/page.js');
    expect(text).toContain('"url":"/openapi.json"');
    expect(text).toContain('"telemetry":false');
    expect(text).toContain('"withDefaultFonts":false');
    expect(text).not.toMatch(/https?:/);
  });
});

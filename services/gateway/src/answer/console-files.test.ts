import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOMAINS } from '@tocsin/api';
import { handledOperation } from '@tocsin/http';
import type { RequestListener } from 'node:http';
import supertest from 'supertest';
import type { Rates } from '../rate-limit/request-limits.ts';
import { Stage, UUID_V7 } from '../testing/stage.ts';
import { ConsoleFiles, MAX_CONSOLE_BYTES } from './console-files.ts';

const PAGE = '<!doctype html><title>Tocsin</title><script type="module" src="/console/assets/main-b2.js"></script>';
const SCRIPT = 'export const words = "the same words, the same words, the same words, the same words";';

let stage: Stage;
let root: string;

beforeEach(async () => {
  stage = await Stage.start();
  root = await mkdtemp(path.join(os.tmpdir(), 'console-files-'));
  await put('new/index.html', PAGE);
  await put('new/favicon.svg', '<svg/>');
  await put('new/assets/main-b2.js', SCRIPT);
  await put('new/assets/main-b2.js.br', brotliCompressSync(SCRIPT));
  await put('new/assets/main-b2.js.gz', gzipSync(SCRIPT));
  await put('new/assets/main-b2.css', 'a{}');
  await put('outside.txt', 'a secret');
});
afterEach(async () => {
  await stage.stop();
  await rm(root, { recursive: true });
});

async function put(name: string, content: string | Buffer): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

const read = (previous?: string) =>
  ConsoleFiles.read({
    folder: path.join(root, 'new'),
    previousFolder: previous === undefined ? undefined : path.join(root, previous),
  });
const app = async (console?: ConsoleFiles) =>
  supertest(stage.gateway({ console: console ?? (await read()), upstreams: new Map() }));

describe('the page of the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/alerts',
    '/console/people/ada@example.com',
    '/console/index.html',
    '/console/apis',
  ])('is answered at %s without a key, and is kept by no cache', async (at) => {
    const { headers, status, text } = await (await app()).get(at);
    expect([status, text]).toEqual([200, PAGE]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' });
    expect(headers['etag']).toBeUndefined();
    expect(headers['x-request-id']).toMatch(UUID_V7);
  });

  it('runs and calls only what its own origin serves, and stands in no frame', async () => {
    const { headers } = await (await app()).get('/console/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('is never the answer to an operation of the console', async () => {
    const { status, text } = await (await app()).get('/console/api/session');
    expect(status).not.toBe(200);
    expect(text).not.toContain('<');
    expect((await (await app()).get('/console/api')).status).toBe(404);
  });

  it('takes GET alone', async () => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const { headers, status } = await (await app())[method]('/console/alerts');
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    expect((await (await app()).options('/console/')).headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});

describe('what installs the console on a device', () => {
  it('is asked for each time, so that a newer release is found, and the worker calls its own origin alone', async () => {
    await put('new/sw.js', 'self.skipWaiting()');
    await put('new/manifest.webmanifest', '{}');
    const gateway = await app();
    const worker = await gateway.get('/console/sw.js');
    expect([worker.status, worker.text]).toEqual([200, 'self.skipWaiting()']);
    expect(worker.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
    });
    const manifest = await gateway.get('/console/manifest.webmanifest');
    expect(manifest.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'application/manifest+json',
    });
  });

  it('is never that of the build before', async () => {
    await put('old/sw.js', 'old');
    await put('old/assets/old-a1.js', 'old');
    const files = await read('old');
    expect((await (await app(files)).get('/console/sw.js')).text).toBe(PAGE);
    expect((await (await app(files)).get('/console/assets/old-a1.js')).text).toBe('old');
  });
});

describe('an asset of the console', () => {
  it('is kept by browsers for a year, and is not sent again', async () => {
    const { headers, status } = await (await app()).get('/console/assets/main-b2.js');
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    for (const tag of [headers['etag'], `"other", W/${headers['etag'] ?? ''}`]) {
      const again = await (await app()).get('/console/assets/main-b2.js').set('If-None-Match', tag ?? '');
      expect([again.status, again.text, again.headers['cache-control']]).toEqual([304, '', headers['cache-control']]);
    }
    const other = await (await app()).get('/console/assets/main-b2.js').set('If-None-Match', '"other"');
    expect([other.status, other.text]).toEqual([200, SCRIPT]);
  });

  it.each([
    ['br, gzip', 'br', brotliCompressSync(SCRIPT).length],
    ['gzip;q=1, br;q=0', 'gzip', gzipSync(SCRIPT).length],
    ['gzip, deflate', 'gzip', gzipSync(SCRIPT).length],
    ['identity', undefined, SCRIPT.length],
    ['br;q=0.0', undefined, SCRIPT.length],
  ])('is sent to a caller that accepts %s in %s', async (accepted, encoding, size) => {
    const { headers, text } = await (
      await app()
    )
      .get('/console/assets/main-b2.js')
      .set('Accept-Encoding', accepted)
      .buffer(true);
    // The client has decompressed the text.
    expect([headers['content-encoding'], headers['content-length'], text]).toEqual([encoding, String(size), SCRIPT]);
  });

  it('is plain where its build did not compress it', async () => {
    const { headers, text } = await (await app()).get('/console/assets/main-b2.css').set('Accept-Encoding', 'br');
    expect([headers['content-encoding'], text]).toEqual([undefined, 'a{}']);
  });

  it('has a head without a body', async () => {
    const { headers, status, text } = await (await app()).head('/console/assets/main-b2.css');
    expect([status, headers['content-length'], text]).toEqual([200, '3', undefined]);
  });

  it.each(['main-a1.js', 'main-b2.js.br', '', 'main-b2.js/', 'x/../main-b2.js', '..%2f..%2f', 'main%2Db2.js'])(
    'is never replaced by the page: assets/%s answers 404, which no cache keeps',
    async (name) => {
      const { headers, status, text } = await (await app()).get(`/console/assets/${name}`);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
      expect(text).toContain('The console has no such file. Reload the page.');
    },
  );
});

describe('other files of the console', () => {
  it('are asked for again each time, because their names stay', async () => {
    const { headers, status } = await (await app()).get('/console/favicon.svg');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/svg+xml', 'no-cache']);
    const again = await (await app()).get('/console/favicon.svg').set('If-None-Match', headers['etag'] ?? '');
    expect(again.status).toBe(304);
  });
});

describe('a path of a caller', () => {
  it('reaches no file outside the folder, also not by a link in it', async () => {
    await symlink(path.join(root, 'outside.txt'), path.join(root, 'new/assets/link.txt'));
    const server = await app();
    for (const at of [
      '/console/../outside.txt',
      '/console/assets/../../outside.txt',
      '/console/%2e%2e/outside.txt',
      '/console/assets/link.txt',
      '/console//outside.txt',
    ])
      expect((await server.get(at)).text).not.toContain('a secret');
  });

  it('leads from the bare address to the console', async () => {
    const { headers, status } = await (await app()).get('/');
    expect([status, headers['location'], headers['cache-control']]).toEqual([302, '/console/', 'no-store']);
    expect((await (await app()).post('/')).status).toBe(404);
  });
});

describe('the assets of the release before', () => {
  beforeEach(async () => {
    await put('old/index.html', 'the old page');
    await put('old/old-file.txt', 'old');
    await put('old/assets/main-a1.js', 'old();');
    await put('old/assets/main-b2.css', 'old{}');
  });

  it('are served beside those of this release, to pages that were opened before the upgrade', async () => {
    const server = await app(await read('old'));
    expect((await server.get('/console/assets/main-a1.js')).text).toBe('old();');
    expect((await server.get('/console/assets/main-b2.css')).text).toBe('a{}');
    for (const at of ['/console/', '/console/old-file.txt']) expect((await server.get(at)).text).toBe(PAGE);
  });

  it('are none where their folder does not exist', async () => {
    const server = await app(await read('absent'));
    expect((await server.get('/console/assets/main-a1.js')).status).toBe(404);
    expect((await server.get('/console/')).text).toBe(PAGE);
  });
});

describe('a console that is not built', () => {
  it('is answered with how to build it', async () => {
    const server = await app(await ConsoleFiles.read({ folder: path.join(root, 'absent') }));
    for (const at of ['/console', '/console/', '/console/alerts', '/console/assets/main-b2.js']) {
      const { status, text } = await server.get(at);
      expect([status, text]).toEqual([404, expect.stringContaining('CONSOLE_DIR')]);
    }
    expect((await server.get('/')).status).toBe(404);
  });
});

describe('the memory and the rate of the console', () => {
  it('are bounded: a folder that is too large is refused at the start', async () => {
    await put('new/assets/large.bin', '');
    await truncate(path.join(root, 'new/assets/large.bin'), MAX_CONSOLE_BYTES);
    await expect(read()).rejects.toThrow('CONSOLE_DIR');
  });

  it('have a share for each address, also for what does not exist', async () => {
    const rates = Object.fromEntries(DOMAINS.map((domain) => [domain, { perSecond: 1, burst: 2 }])) as Exclude<
      Rates,
      'off'
    >;
    const server = supertest(stage.gateway({ console: await read() }, { rates }));
    expect((await server.get('/console/')).status).toBe(200);
    expect((await server.get('/console/assets/none.js')).status).toBe(404);
    for (const at of ['/console/', '/']) {
      const { headers, status } = await server.get(at);
      expect([status, headers['x-ratelimit-reason']]).toEqual([429, 'ADDRESS']);
    }
    expect(stage.throttled).toEqual(['files', 'files']);
  });

  it('have one name in metrics, whatever the path', async () => {
    const names: string[] = [];
    const gateway = stage.gateway({ console: await read() });
    const listening: RequestListener = (request, response) => {
      response.once('finish', () => names.push(handledOperation(response)));
      gateway(request, response);
    };
    for (const at of ['/', '/console/any/path', '/console/assets/main-b2.js', '/console/assets/none.js'])
      await supertest(listening).get(at);
    expect(names).toEqual(['console', 'console', 'console', 'console']);
  });
});

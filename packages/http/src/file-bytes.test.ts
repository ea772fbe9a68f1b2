import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier, type Principal } from './authentication/index.ts';
import { createServiceApp, defineRoute } from './index.ts';

const KEYS = ['a-signing-key-of-the-installation'];
const PIECE = Buffer.alloc(100_000, 'x');
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Asks for the file behind a link, which is `length` bytes long. */
async function download(length: number, bytes: AsyncIterable<Uint8Array>) {
  const defects: unknown[] = [];
  const principals: Principal[] = [];
  const route = defineRoute({
    operation: 'download-attachment',
    handle: ({ principal }) => {
      principals.push(principal);
      return Promise.resolve({ file: { name: 'ä.bin', type: 'text/html', content: { length, bytes } } });
    },
  });
  const onDefect = (error: unknown) => defects.push(error);
  const server = createServer(
    createServiceApp({
      routes: [route],
      clock,
      onDefect,
      verifier: new PrincipalVerifier(KEYS, 'scheduling'),
      meaningOf: (error) => error,
    }),
  );
  opened.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const request = httpRequest({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path: '/v2/attachments/token',
    headers: {
      [PRINCIPAL_HEADER]: await new PrincipalSigner(KEYS).sign({ service: 'gateway' }, 'scheduling', clock.now()),
    },
  });
  request.on('error', () => undefined).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { request, response, defects, principals };
}

async function* pieces(count: number, after?: Error): AsyncGenerator<Uint8Array, void> {
  for (let sent = 0; sent < count; sent += 1) yield await Promise.resolve(PIECE);
  if (after !== undefined) throw after;
}

async function sizeOf(response: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  return size;
}

describe('an answer of many bytes', () => {
  it('arrives whole, with its length, and is harmless in a browser', async () => {
    const { response, defects } = await download(1_000_000, pieces(10));
    expect(response.headers).toMatchObject({
      'content-type': 'text/html',
      'content-length': '1000000',
      'content-disposition': `attachment; filename="?.bin"; filename*=UTF-8''%C3%A4.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    });
    expect([await sizeOf(response), defects]).toEqual([1_000_000, []]);
  });

  it('may be empty', async () => {
    const { response } = await download(0, pieces(0));
    expect([response.statusCode, await sizeOf(response)]).toEqual([200, 0]);
  });

  it('gives its route a principal without any right (A13)', async () => {
    const { principals } = await download(0, pieces(0));
    expect(principals).toEqual([expect.objectContaining({ teamId: '', mayWrite: false, mayConfigure: false })]);
  });

  it('that can not begin is answered as what kept it from beginning', async () => {
    const { response } = await download(100, pieces(0, new UnavailableError('unavailable')));
    expect(response.statusCode).toBe(503);
  });

  it('that breaks off is cut short and reported', async () => {
    const { response, defects } = await download(1_000_000, pieces(5, new Error('lost')));
    await expect(sizeOf(response)).rejects.toThrow('aborted');
    expect(defects).toEqual([new Error('lost')]);
  });

  it('is read no further when the caller has left', async () => {
    const given: number[] = [];
    let ended: () => void;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    async function* counted(): AsyncGenerator<Uint8Array, void> {
      try {
        for (let count = 0; count < 1_000; count += 1) {
          given.push(count);
          yield await Promise.resolve(PIECE);
        }
      } finally {
        ended();
      }
    }
    const { request, response, defects } = await download(100_000_000, counted());
    response.pause();
    request.destroy();
    await over;
    expect(given.length).toBeLessThan(1_000);
    expect(defects).toEqual([]);
  });
});

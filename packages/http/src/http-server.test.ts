import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { createHttpServer, type HttpServerOptions } from './index.ts';

const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serving(listener: RequestListener, options: Partial<HttpServerOptions> = {}): Promise<number> {
  const server = createHttpServer({ clock, ...options }, listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** All that the server says to these bytes, one answer each. */
async function answers(port: number, bytes: string): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return (await text(socket)).split(/(?=HTTP\/1\.1 )/);
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: service\r\n\r\n`;
const soon: RequestListener = ({ url }, response) => {
  setImmediate(() => response.end(`answer to ${url ?? ''}`));
};

describe('an HTTP server', () => {
  it('answers in the envelope what is no HTTP', async () => {
    expect(await answers(await serving(soon), 'nonsense\r\n\r\n')).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 400 Bad Request\r\n[^]*"message":"The request is not valid HTTP\."/),
    ]);
  });

  it('dates every answer by its clock, refusals too', async () => {
    const port = await serving(soon);
    for (const bytes of [get('/').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'nonsense\r\n\r\n'])
      expect(await answers(port, bytes)).toEqual([
        expect.stringContaining('\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n'),
      ]);
  });

  it('never answers a request with the refusal of what came behind it on the connection', async () => {
    const port = await serving(soon);
    expect(await answers(port, `${get('/1')}nonsense\r\n\r\n`)).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[^]*answer to \/1/),
    ]);
  });

  it('takes a head up to its bound, and says 431 to a larger one that is read to its end', async () => {
    const port = await serving(soon, { maxHeadBytes: 10_000 });
    const headed = (bytes: number) => get('/').replace('\r\n\r\n', `\r\nX: ${'x'.repeat(bytes)}\r\n\r\n`);
    expect(await answers(port, headed(9_000).replace('Host', 'Connection: close\r\nHost'))).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 200 /),
    ]);
    expect(await answers(port, headed(2_000_000))).toEqual([expect.stringMatching(/^HTTP\/1\.1 431 /)]);
  });

  it('says 400 to a body that is not in the form that was announced', async () => {
    const port = await serving((request) => request.on('error', () => undefined).resume());
    const head = 'POST / HTTP/1.1\r\nHost: service\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await answers(port, `${head}no chunk\r\n`)).toEqual([expect.stringMatching(/^HTTP\/1\.1 400 /)]);
  });

  it('hands a request with an expectation that it does not know to the app, which answers in the envelope', async () => {
    const port = await serving(soon);
    const expecting = get('/1').replace('Host', 'Expect: miracles\r\nConnection: close\r\nHost');
    expect(await answers(port, expecting)).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[^]*answer to \/1/)]);
  });

  it('closes a connection that is one too many', async () => {
    const port = await serving(soon, { maxConnections: 1 });
    const first = connect(port, '127.0.0.1');
    await once(first, 'connect');
    const second = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(second, 'close');
    first.write(get('/'));
    expect(String((await once(first, 'data'))[0])).toContain('answer to /');
    first.destroy();
  });

  it('closes a connection that is one too many of its address, and takes those of other addresses', async () => {
    const port = await serving(soon, { maxConnections: 10, maxConnectionsPerAddress: 1 });
    const from = (localAddress: string) =>
      connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    const first = from('127.0.0.1');
    await once(first, 'connect');
    await once(from('127.0.0.1'), 'close');
    const other = from('127.0.0.2');
    for (const [socket, path] of [
      [first, '/1'],
      [other, '/2'],
    ] as const) {
      socket.write(get(path));
      expect(String((await once(socket, 'data'))[0])).toContain(`answer to ${path}`);
      socket.destroy();
    }
  });

  it('cuts the connection of a caller who sends on and on without waiting for answers, and does no more for it', async () => {
    const asked: string[] = [];
    const port = await serving(({ url = '' }, response) => {
      asked.push(url);
      setImmediate(() => response.end());
    });
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.resume().write(get('/').repeat(1_000));
    await once(socket, 'close');
    expect(asked).toHaveLength(16);
    expect(await answers(port, `${get('/1').repeat(16)}nonsense\r\n\r\n`)).toHaveLength(16);
  });
});

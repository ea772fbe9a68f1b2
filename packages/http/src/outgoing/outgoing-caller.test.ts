import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { OutgoingCaller, type OutgoingCallerOptions } from './outgoing-caller.ts';

const LOCAL = ['127.0.0.0/8'];
const open = new Set<{ close: () => unknown; closeAllConnections?: () => void }>();

afterEach(() => {
  for (const server of open) {
    server.closeAllConnections?.();
    server.close();
  }
  open.clear();
});

const post = (url: string) => ({ method: 'POST', url, body: 'hello' }) as const;
const caller = (options: OutgoingCallerOptions = {}): OutgoingCaller =>
  new OutgoingCaller({ allowedRanges: LOCAL, timeoutMs: 60_000, ...options });

/** The next call times out when the test aborts this. */
function timeoutOfNextCall(): AbortController {
  const timeout = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
  return timeout;
}

/** Lets the event loop run ten times, so that what has arrived at a socket is read. */
async function socketsRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function portOf(server: Server): Promise<number> {
  open.add(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function urlOf(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(listener))}/`;
}

async function rawUrl(behave: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    behave(socket);
  });
  open.add({
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  });
  return `http://127.0.0.1:${await portOf(server)}/`;
}

describe('an outgoing call', () => {
  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90_000],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Wed, 31 Dec 2025 23:59:59 GMT', undefined],
    ['2026-01-01T00:01:30Z', undefined],
  ])('is answered with how long to wait: Retry-After %j', async (retryAfter, retryAfterMs) => {
    const url = await urlOf((_, response) => {
      const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
      response.writeHead(429, { 'retry-after': retryAfter, date }).end();
    });
    const answer = { kind: 'answered', status: 429, body: '', isTruncated: false };
    expect(await caller().call(post(url))).toEqual(retryAfterMs === undefined ? answer : { ...answer, retryAfterMs });
  });

  it('goes out once, as it was asked for, over a connection of its own', async () => {
    const seen: IncomingMessage[] = [];
    const url = await urlOf((request, response) => {
      seen.push(request);
      response.writeHead(201).end('made');
    });
    const calls = caller();
    const request = { ...post(`${url}a/b?c=d`), headers: { 'x-token': 't' } };
    const answer = { kind: 'answered', status: 201, body: 'made', isTruncated: false };
    expect(await calls.call(request)).toEqual(answer);
    expect(await calls.call(request)).toEqual(answer);
    expect(seen.map(({ method, url: path }) => `${method ?? ''} ${path ?? ''}`)).toEqual([
      'POST /a/b?c=d',
      'POST /a/b?c=d',
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'x-token': 't', host: new URL(url).host, 'content-length': '5' });
    expect(new Set(seen.map(({ socket }) => socket)).size).toBe(2);
  });

  it('goes where the name led when it was checked, whatever it leads to a moment later', async () => {
    const hosts: (string | undefined)[] = [];
    const url = await urlOf((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const { port } = new URL(url);
    const answers = ['127.0.0.1', '10.0.0.1'];
    const calls = caller({ resolve: () => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]) });
    expect(await calls.call(post(`http://example.com:${port}/`))).toMatchObject({ kind: 'answered', status: 200 });
    expect(hosts).toEqual([`example.com:${port}`]);
    expect(await calls.call(post(`http://example.com:${port}/`))).toMatchObject({
      kind: 'refused',
      reason: '10.0.0.1 is a private address',
    });
    expect(answers).toEqual([]);
  });

  it('asks for a name once for all calls that are made at the same time, and again for the next', async () => {
    const url = await urlOf((_, response) => response.end());
    let lookUps = 0;
    const resolve = () => Promise.resolve([{ address: (lookUps += 1) > 2 ? '10.0.0.1' : '127.0.0.1', family: 4 }]);
    const calls = caller({ resolve });
    const call = () => calls.call(post(`http://example.com:${new URL(url).port}/`));
    expect((await Promise.all([call(), call(), call()])).map(({ kind }) => kind)).toEqual(Array(3).fill('answered'));
    expect(lookUps).toBe(1);
    expect([(await call()).kind, (await call()).kind]).toEqual(['answered', 'refused']);
  });

  it('shows itself to a server of TLS by the name of the URL, not by the address', async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => undefined);
    const port = await portOf(server);
    const calls = caller({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
    expect(await calls.call(post(`https://example.com:${port}/`))).toMatchObject({ kind: 'unreached' });
    expect(names).toEqual(['example.com']);
  });

  it('is refused where one of the addresses of a name is, with nothing sent to the others', async () => {
    let requests = 0;
    const url = await urlOf((_, response) => response.end(String((requests += 1))));
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: 'fe80::1%eth0', family: 6 },
    ];
    const calls = caller({ resolve: () => Promise.resolve(addresses) });
    expect(await calls.call(post(`http://example.com:${new URL(url).port}/`))).toMatchObject({ kind: 'refused' });
    expect(requests).toBe(0);
  });

  it('goes on to the next address of a name where one does not answer', async () => {
    const url = await urlOf((_, response) => response.end());
    const addresses = [
      { address: '127.0.0.7', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const calls = caller({ resolve: () => Promise.resolve(addresses) });
    expect(await calls.call(post(`http://example.com:${new URL(url).port}/`))).toMatchObject({ kind: 'answered' });
  });

  it.each([
    ['no URL', 'nonsense'],
    ['another scheme', 'ftp://example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['a user name', 'http://user@example.com/'],
    ['a password', 'http://:word@example.com/'],
    ['an empty host', 'http:///'],
    ['an interface', 'http://[fe80::1%25eth0]/'],
  ])('is refused for %s, without a look-up', async (_, url) => {
    const calls = caller({ resolve: () => Promise.reject(new Error('asked')) });
    const outcome = await calls.call(post(url));
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(outcome)).not.toContain('word@');
  });

  it('is refused for a private address in each notation that means one', async () => {
    const calls = new OutgoingCaller({ resolve: (host) => Promise.reject(new Error(`asked for ${host}`)) });
    const octets = fc.constantFrom<number[]>(
      [127, 0, 0, 1],
      [10, 0, 0, 9],
      [169, 254, 169, 254],
      [192, 168, 1, 1],
      [100, 64, 3, 4],
      [0, 0, 0, 0],
    );
    const part = fc.constantFrom(
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
    );
    const host = fc
      .tuple(octets, fc.integer({ min: 1, max: 4 }), part, fc.constantFrom('', '.'))
      .map(([address, count, write, dot]) => {
        const last = address.slice(count - 1).reduce((sum, octet) => sum * 256 + octet, 0);
        return `${[...address.slice(0, count - 1), last].map(write).join('.')}${dot}`;
      });
    await fc.assert(
      fc.asyncProperty(host, fc.constantFrom('http', 'HTTPS'), async (name, scheme) => {
        expect(await calls.call(post(`${scheme}://${name}/`))).toMatchObject({
          kind: 'refused',
          reason: expect.stringMatching(/ is a .+ address$/),
        });
      }),
    );
  });

  it.each([
    'http://[::1]/',
    'http://[0:0::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
  ])('is refused for %s', async (url) => {
    expect(await new OutgoingCaller().call(post(url))).toMatchObject({ kind: 'refused' });
  });

  it.each(['http://bücher.example/', 'http://xn--bcher-kva.example/', 'http://BÜCHER.example/'])(
    'looks up what %s means',
    async (url) => {
      const asked: string[] = [];
      const resolve = (host: string) => Promise.resolve([{ address: (asked.push(host), '10.0.0.1'), family: 4 }]);
      expect(await new OutgoingCaller({ resolve }).call(post(url))).toMatchObject({ kind: 'refused' });
      expect(asked).toEqual(['xn--bcher-kva.example']);
    },
  );

  it.each([
    ['no server listens', 'http://127.0.0.1:1/', {}, /ECONNREFUSED/],
    [
      'the name is not known',
      'http://a.example/',
      { resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) },
      /ENOTFOUND/,
    ],
    [
      'the name server is silent',
      'http://a.example/',
      { resolve: () => new Promise<never>(() => undefined), timeoutMs: 100 },
      /TimeoutError/,
    ],
    ['a name has no address', 'http://a.example/', { resolve: () => Promise.resolve([]) }, /could not be/],
  ])('sends nothing where %s', async (_, url, options, reason) => {
    expect(await caller(options).call(post(url))).toMatchObject({
      kind: 'unreached',
      reason: expect.stringMatching(reason),
    });
  });

  it('sends nothing where TLS fails', async () => {
    const heard: string[] = [];
    const url = await rawUrl((socket) =>
      socket.on('data', (data) => {
        heard.push(data.toString());
        socket.end('no\r\n');
      }),
    );
    expect(await caller().call(post(url.replace('http:', 'https:')))).toMatchObject({ kind: 'unreached' });
    expect(heard.join('')).not.toContain('hello');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['hangs up', (socket) => socket.on('data', () => socket.destroy())],
    ['answers with something else than HTTP', (socket) => socket.on('data', () => socket.end('what?\r\n'))],
    ['breaks off within the head', (socket) => socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nX-'))],
  ])('whose outcome is not known says so where the other side %s', async (_, behave) => {
    expect(await caller().call(post(await rawUrl(behave)))).toMatchObject({ kind: 'silent' });
  });

  it('is silent where the other side answers nothing until the call times out', async () => {
    const timeout = timeoutOfNextCall();
    const url = await rawUrl((socket) => {
      socket.once('data', () => {
        timeout.abort();
      });
    });
    expect(await caller().call(post(url))).toMatchObject({
      kind: 'silent',
      reason: expect.stringContaining('too long'),
    });
  });

  it('follows no redirect', async () => {
    const url = await urlOf((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(await caller().call(post(url))).toMatchObject({ kind: 'answered', status: 302 });
  });

  it('reads no more than the beginning of an answer, and lets go of an answer without an end', async () => {
    let isClosed = false;
    const url = await urlOf((request, response) => {
      request.socket.on('close', () => (isClosed = true));
      const more = (): boolean => response.write('x'.repeat(64 * 1024), () => !isClosed && more());
      response.writeHead(200);
      more();
    });
    const answer = await caller().call(post(url));
    expect(answer).toMatchObject({ kind: 'answered', status: 200, isTruncated: true, body: 'x'.repeat(16 * 1024) });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['breaks off', (socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 99\r\n\r\nbegun')],
    ['does not end in time', (socket) => socket.write('HTTP/1.1 201 Created\r\ncontent-length: 99\r\n\r\nbegun')],
  ])('has an answer once its head is here, though its body %s', async (_, behave) => {
    const timeout = timeoutOfNextCall();
    const url = await rawUrl((socket) =>
      socket.once('data', () => {
        behave(socket);
        void socketsRead().then(() => {
          timeout.abort();
        });
      }),
    );
    const outcome = await caller().call(post(url));
    expect(outcome).toMatchObject({ kind: 'answered', status: 201, isTruncated: true, body: 'begun' });
  });

  it.each([
    ['too large a body', { body: 'x'.repeat(256 * 1024 + 1) }],
    ['a header with a line end', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a header without a name', { headers: { '': 'b' } }],
  ])('is refused for %s', async (_, part) => {
    let requests = 0;
    const url = await urlOf((_request, response) => response.end(String((requests += 1))));
    expect(await caller().call({ ...post(url), ...part })).toMatchObject({ kind: 'refused' });
    expect(requests).toBe(0);
  });
});

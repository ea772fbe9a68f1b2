import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import { Lifecycle } from './lifecycle.ts';
import { listen } from './listen.ts';

/** A service that holds its requests, and a connection to it that reads no answers. */
async function service({ listeners = 1, maxConnections = 100, isLeaving = (): boolean => false } = {}) {
  const lifecycle = new Lifecycle();
  const held: { readonly path: string | undefined; readonly response: ServerResponse }[] = [];
  let taken = Promise.withResolvers<undefined>();
  const listener: RequestListener = ({ url: path }, response) => {
    held.push({ path, response });
    taken.resolve(undefined);
  };
  const port = await listen(listener, {
    name: 'http',
    host: '127.0.0.1',
    port: 0,
    lifecycle,
    clock: systemClock,
    listeners,
    maxConnections,
    isLeaving,
  });
  const caller = connect(port, '127.0.0.1');
  return { lifecycle, held, caller, ask, port };

  /** Resolves when the service has taken the first of them. */
  async function ask(...paths: readonly string[]): Promise<void> {
    taken = Promise.withResolvers();
    send(caller, paths);
    await taken.promise;
  }
}

function send(caller: Socket, paths: readonly string[]): void {
  caller.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: service\r\n\r\n`).join(''));
}

describe('a service that stops', () => {
  it('answers what is under way, and ends connections that are kept', async () => {
    const { lifecycle, held, caller, ask } = await service();
    await ask('/1', '/2');
    const stopped = lifecycle.stop();
    for (const { path, response } of held) response.end(`answer to ${path}`);
    expect((await text(caller)).match(/answer to .\d/g)).toEqual(['answer to /1', 'answer to /2']);
    await stopped;
  });

  it('takes one request more on each, says that it is the last, and does nothing of those behind it', async () => {
    const { lifecycle, held, caller, ask } = await service();
    await ask('/1');
    const stopped = lifecycle.stop();
    await ask('/2', '/3');
    for (const { path, response } of held) response.end(`answer to ${path}`);
    const [first, second, ...others] = (await text(caller)).split(/(?=HTTP\/1.1 200)/);
    expect(first).toMatch(/Connection: keep-alive[^]*answer to \/1/);
    expect(second).toMatch(/Connection: close[^]*answer to \/2/);
    expect(others).toEqual([]);
    expect(held).toHaveLength(2);
    await stopped;
  });
});

describe('a service that is about to stop', () => {
  it('ends each connection with its next answer, so that none is in use when it stops, and takes new ones', async () => {
    let isLeaving = false;
    const { lifecycle, held, caller, ask, port } = await service({ isLeaving: () => isLeaving });
    await ask('/1');
    held[0]?.response.end('answer to /1');
    isLeaving = true;
    await ask('/2');
    held[1]?.response.end('answer to /2');
    expect(await text(caller)).toMatch(
      /Connection: keep-alive[^]*answer to \/1[^]*Connection: close[^]*answer to \/2$/,
    );
    const late = connect(port, '127.0.0.1');
    send(late, ['/3']);
    await eventually(() => {
      expect(held).toHaveLength(3);
    });
    held[2]?.response.end('answer to /3');
    expect(await text(late)).toMatch(/Connection: close[^]*answer to \/3$/);
    await lifecycle.stop();
  });
});

describe('a service with several listeners', () => {
  it('takes a connection through each in one turn of the event loop, and refuses in the envelope at each', async () => {
    const { lifecycle, held, port, caller } = await service({ listeners: 8 });
    const callers = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
    for (const each of callers) send(each, ['/1']);
    await eventually(() => {
      expect([held.length]).toEqual([64]);
    });
    for (const { response } of held) response.setHeader('Connection', 'close').end('answer');
    for (const each of callers) expect(await text(each)).toContain('answer');
    const broken = Array.from({ length: 16 }, () => connect(port, '127.0.0.1'));
    for (const each of broken) each.write('nonsense\r\n\r\n');
    for (const each of broken) expect(await text(each)).toMatch(/^HTTP\/1\.1 400 [^]*"requestId"/);
    caller.destroy();
    await lifecycle.stop();
  });

  it('takes no more connections than it may through all of them together, and another one once one has left', async () => {
    const { lifecycle, held, port, caller, ask } = await service({ listeners: 8, maxConnections: 5 });
    await ask('/1');
    let closed = 0;
    const others = Array.from({ length: 20 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .once('close', () => (closed += 1))
        .resume(),
    );
    for (const each of others) send(each, ['/1']);
    await eventually(() => {
      expect([closed, held.length]).toEqual([16, 5]);
    });
    for (const { response } of held.splice(0)) response.setHeader('Connection', 'close').end();
    await eventually(() => {
      expect(closed).toBe(20);
    });
    await once(caller.resume(), 'close');
    const next = connect(port, '127.0.0.1');
    send(next, ['/2']);
    await eventually(() => {
      expect(held.map(({ path }) => path)).toEqual(['/2']);
    });
    next.destroy();
    await lifecycle.stop();
  });

  it('finishes at each the requests under way when it stops, and accepts no connection after that', async () => {
    const { lifecycle, held, port, caller } = await service({ listeners: 8 });
    const callers = Array.from({ length: 32 }, () => connect(port, '127.0.0.1'));
    for (const each of callers) send(each, ['/1']);
    await eventually(() => {
      expect([held.length]).toEqual([32]);
    });
    const stopped = lifecycle.stop();
    for (const { response } of held) response.end('answer');
    for (const each of callers) expect(await text(each)).toContain('answer');
    caller.destroy();
    await stopped;
    const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(refused.code).toBe('ECONNREFUSED');
  });

  it('shares its port with no other process, though its listeners share it', async () => {
    const { lifecycle, port, caller } = await service({ listeners: 8 });
    const second = listen(() => undefined, {
      name: 'http',
      host: '127.0.0.1',
      port,
      listeners: 8,
      lifecycle: new Lifecycle(),
      clock: systemClock,
    });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
    caller.destroy();
    await lifecycle.stop();
  });
});

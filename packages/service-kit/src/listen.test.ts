import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { Lifecycle } from './lifecycle.ts';
import { listen } from './listen.ts';

/** A service that holds what it is asked, and a connection to it on which nobody waits for answers. */
async function service() {
  const lifecycle = new Lifecycle();
  const held: { readonly path: string | undefined; readonly response: ServerResponse }[] = [];
  let taken = Promise.withResolvers<undefined>();
  const listener: RequestListener = ({ url: path }, response) => {
    held.push({ path, response });
    taken.resolve(undefined);
  };
  const port = await listen(listener, { name: 'http', host: '127.0.0.1', port: 0, lifecycle, clock: systemClock });
  const caller = connect(port, '127.0.0.1');
  return { lifecycle, held, caller, ask };

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

import { once } from 'node:events';
import { createServer, type AddressInfo, connect, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@tocsin/testkit';
import { Balancer } from './balancer.ts';

/** A replica that says its name and ends each connection. */
async function replicaCalled(name: string, isReady: boolean) {
  const server = createServer((socket) => socket.on('error', () => undefined).end(name));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, replica: { port: (server.address() as AddressInfo).port, isReady: () => Promise.resolve(isReady) } };
}

describe('the balancer of the failure suite', () => {
  let servers: Server[];
  let balancer: Balancer;
  let port: number;

  beforeEach(async () => {
    const both = [await replicaCalled('one', true), await replicaCalled('two', true)];
    servers = both.map(({ server }) => server);
    port = await freePort();
    balancer = await Balancer.start(
      port,
      both.map(({ replica }) => replica),
    );
  });

  afterEach(async () => {
    await balancer.stop();
    for (const server of servers) server.close();
  });

  const answer = (): Promise<string> => text(connect(port, '127.0.0.1').on('error', () => undefined));

  it('gives connections to both replicas in turn', async () => {
    const answers = [await answer(), await answer(), await answer(), await answer()];
    expect(answers.slice(0, 2).sort()).toEqual(['one', 'two']);
    expect(answers.slice(2)).toEqual(answers.slice(0, 2));
  });

  it('gives them all to the one that listens, and closes them where none does', async () => {
    servers[0]?.close();
    expect([await answer(), await answer(), await answer()]).toEqual(['two', 'two', 'two']);
    servers[1]?.close();
    expect(await answer()).toBe('');
  });
});

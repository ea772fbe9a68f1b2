import { once } from 'node:events';
import { createServer, type AddressInfo, connect, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@tocsin/testkit';
import { Balancer } from './balancer.ts';

/** A replica that says its name and ends each connection. It is ready while it listens, if it `tells` so. */
async function replicaCalled(name: string, tells: boolean) {
  const server = createServer((socket) => socket.on('error', () => undefined).end(name));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const isReady = () => Promise.resolve(!tells || server.listening);
  return { server, replica: { port: (server.address() as AddressInfo).port, isReady } };
}

describe('the balancer of the failure suite', () => {
  let servers: Server[] = [];
  let balancer: Balancer;
  let port: number;

  async function start(tells: boolean): Promise<void> {
    const both = [await replicaCalled('one', tells), await replicaCalled('two', tells)];
    servers = both.map(({ server }) => server);
    port = await freePort();
    balancer = await Balancer.start(
      port,
      both.map(({ replica }) => replica),
      1,
    );
  }

  afterEach(async () => {
    await balancer.stop();
    for (const server of servers) server.close();
  });

  const answer = (): Promise<string> => text(connect(port, '127.0.0.1').on('error', () => undefined));

  it('gives connections to both replicas in turn', async () => {
    await start(true);
    const answers = [await answer(), await answer(), await answer(), await answer()];
    expect(answers.slice(0, 2).sort()).toEqual(['one', 'two']);
    expect(answers.slice(2)).toEqual(answers.slice(0, 2));
  });

  it('closes a connection that its replica refuses, as long as the probe has not found that replica unready', async () => {
    await start(false);
    servers[0]?.close();
    const answers = [await answer(), await answer(), await answer(), await answer()];
    expect(answers.sort()).toEqual(['', '', 'two', 'two']);
  });

  it('gives all connections to the replica that is ready, and closes them where none is', async () => {
    await start(true);
    servers[0]?.close();
    await eventually(async () => {
      expect([await answer(), await answer(), await answer()]).toEqual(['two', 'two', 'two']);
    });
    servers[1]?.close();
    await eventually(async () => {
      expect([await answer(), await answer()]).toEqual(['', '']);
    });
  });
});

import { once } from 'node:events';
import net from 'node:net';
import type tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import type { RequestTimeoutEvent } from 'kafkajs';
import { BrokerSockets, type ClientSockets } from './broker-sockets.ts';
import { apiVersions, RequestServer } from './testing/request-server.ts';

/** A multicast address: a connection fails at once, on whatever network. */
const UNREACHABLE_HOST = '224.0.0.1';

let server: RequestServer;
let sockets: BrokerSockets;
const opened: net.Socket[] = [];

beforeEach(async () => {
  server = await RequestServer.start();
  sockets = new BrokerSockets();
});
afterEach(() => {
  sockets.stopProbes();
  for (const socket of opened.splice(0)) socket.destroy();
  server.stop();
});

/** An open connection; rejects when it is refused. */
async function open({ socketFactory }: ClientSockets, ssl: tls.ConnectionOptions | null = null): Promise<net.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const socket = socketFactory({
    host: '127.0.0.1',
    port: server.port,
    ssl: ssl as never,
    onConnect: () => {
      resolve(undefined);
    },
  });
  opened.push(socket);
  socket.on('error', reject);
  await promise;
  return socket;
}

function timeOut(client: ClientSockets): void {
  client.onRequestTimeout({ payload: { broker: `127.0.0.1:${server.port}` } as RequestTimeoutEvent['payload'] });
}

const answerAll = () => {
  server.onRequest = (request, socket) => socket.write(apiVersions(request, 18));
};

describe('after a request that timed out', () => {
  it('closes the connections of that client, and no other ones while the broker answers', async () => {
    answerAll();
    const [slow, other] = [sockets.client(), sockets.client()];
    const closed = await open(slow);
    const kept = await open(other);
    timeOut(slow);
    expect(closed.destroyed).toBe(true);
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    expect((await open(slow)).destroyed).toBe(false);
    expect(kept.destroyed).toBe(false);
  });

  it('asks the broker for what it says before any login', async () => {
    const client = sockets.client();
    await open(client);
    timeOut(client);
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    const request = server.requests[0] ?? Buffer.alloc(0);
    expect([request.readInt32BE(0), request.readInt16BE(4), request.readInt16BE(6)]).toEqual([
      request.length - 4,
      18,
      0,
    ]);
  });

  it('probes the broker by the TLS settings of its newest connection', async () => {
    const client = sockets.client();
    await open(client);
    const servername = 'broker-1.example.com';
    // The server speaks no TLS: it takes the hello as a request, and ends the connection.
    server.onRequest = (_, socket) => socket.end();
    open(client, { servername }).catch(() => undefined);
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    timeOut(client);
    await eventually(() => {
      expect(server.requests).toHaveLength(2);
    });
    expect(server.requests[1]?.includes(servername)).toBe(true);
  });

  it('closes every connection to a broker that leaves the probe unanswered, and refuses new ones until it answers', async () => {
    const held: (() => void)[] = [];
    server.onRequest = (request, socket) => held.push(() => socket.write(apiVersions(request, 18)));
    const [first, other] = [sockets.client(), sockets.client()];
    await open(first);
    const kept = await open(other);
    timeOut(first);
    await eventually(() => {
      expect(kept.destroyed).toBe(true);
    });
    await expect(open(other)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    for (const answer of held) answer();
    await eventually(() => open(other));
  });

  it('refuses new connections to a broker to which no network leads, also when the probe has failed', async () => {
    const [host, port] = [UNREACHABLE_HOST, 9_092];
    const client = sockets.client();
    const codeOf = async (socket: net.Socket): Promise<string | undefined> => {
      opened.push(socket);
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
      return error.code;
    };
    const codeOfNew = () =>
      codeOf(client.socketFactory({ host, port, ssl: null as never, onConnect: () => undefined }));
    const first = codeOfNew();
    client.onRequestTimeout({ payload: { broker: `${host}:${port}` } as RequestTimeoutEvent['payload'] });
    await first;
    await eventually(async () => {
      expect(await codeOfNew()).toBe('ECONNREFUSED');
    });
    // The probe began before.
    expect(await codeOf(net.connect({ host, port }))).not.toBe('ECONNREFUSED');
    expect(await codeOfNew()).toBe('ECONNREFUSED');
  });

  it('refuses nothing by itself where the broker is down', async () => {
    const client = sockets.client();
    await open(client);
    server.stop();
    timeOut(client);
    await expect(open(client)).rejects.toThrow('ECONNREFUSED 127.0.0.1');
  });
});

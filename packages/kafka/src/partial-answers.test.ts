import { createRequire } from 'node:module';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { discardPartialAnswers } from './partial-answers.ts';
import { apiVersions, RequestServer } from './testing/request-server.ts';

interface ClientConnection {
  connect(): Promise<unknown>;
  disconnect(): Promise<unknown>;
  send(request: unknown): Promise<{ readonly apiVersions: readonly { readonly apiKey: number }[] }>;
}
type NewConnection = new (options: object) => ClientConnection;

const clientRequire = createRequire(import.meta.url);
const Connection = clientRequire('kafkajs/src/network/connection.js') as NewConnection;
const { protocol } = clientRequire('kafkajs/src/protocol/requests/apiVersions/index.js') as {
  protocol: (of: { version: number }) => () => unknown;
};
const log = {
  namespace: () => log,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
let server: RequestServer;

beforeEach(async () => {
  server = await RequestServer.start();
});
afterEach(() => {
  server.stop();
});

describe('a connection that was cut in the middle of an answer', () => {
  it('reads the next answer from its beginning once it is open again', async () => {
    discardPartialAnswers();
    discardPartialAnswers();
    server.onRequest = (request, socket) => {
      const answer = apiVersions(request, 18);
      if (server.requests.length > 1) socket.write(answer);
      else socket.write(answer.subarray(0, 9), () => socket.resetAndDestroy());
    };
    const connection = new Connection({
      ...{ host: '127.0.0.1', port: server.port, logger: log, requestTimeout: 2_000, connectionTimeout: 2_000 },
      socketFactory: ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }) =>
        net.connect({ host, port }, onConnect),
    });
    const ask = async () => {
      await connection.connect();
      return connection.send(protocol({ version: 0 })());
    };
    await expect(ask()).rejects.toThrow('ECONNRESET');
    expect(await ask()).toMatchObject({ apiVersions: [{ apiKey: 18 }] });
    await connection.disconnect();
  });
});

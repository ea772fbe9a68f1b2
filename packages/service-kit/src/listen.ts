import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Lifecycle } from './lifecycle.ts';

export interface ListenOptions {
  readonly name: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly lifecycle: Lifecycle;
}

/** How long the whole of a request may take to arrive, in milliseconds: 50 MB over a line of half a megabit. */
const LONGEST_REQUEST_MS = 900_000;

/** How often connections are looked through at the stop, in milliseconds. */
const LEFT_EVERY_MS = 100;

/**
 * Serves HTTP until the lifecycle stops; requests under way are finished first, whoever keeps asking on a connection that is
 * kept. Resolves with the port.
 */
export async function listen(
  listener: RequestListener,
  { name, host, port, lifecycle }: ListenOptions,
): Promise<number> {
  const server = await lifecycle.start(name, () => open(listener, host, port), close);
  return (server.address() as AddressInfo).port;
}

function open(listener: RequestListener, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const waits = { keepAliveTimeout: 65_000, headersTimeout: 66_000, requestTimeout: LONGEST_REQUEST_MS };
    const server = createServer(waits).once('error', reject);
    server.on('request', endingWith(server, listener));
    server.listen(port, host, () => {
      resolve(server);
    });
  });
}

/** After the stop has begun, each connection takes one request more, and answers that it was the last. */
function endingWith(server: Server, listener: RequestListener): RequestListener {
  const ending = new WeakSet<Socket>();
  return (request, response) => {
    if (!server.listening) {
      // Sent before that was read: what can not be answered any more is not done.
      if (ending.has(request.socket)) return;
      ending.add(request.socket);
      response.setHeader('Connection', 'close');
    }
    listener(request, response);
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // Node closes those that are idle now, not those that become so.
    const leaving = setInterval(() => {
      server.closeIdleConnections();
    }, LEFT_EVERY_MS);
    server.close((error) => {
      clearInterval(leaving);
      if (error) reject(error);
      else resolve();
    });
  });
}

import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Server as Listener, Socket } from 'node:net';
import { createHttpServer, type HttpServerOptions } from '@tocsin/http';
import { openListeners } from './listeners.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface ListenOptions extends HttpServerOptions {
  readonly name: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly lifecycle: Lifecycle;
  /** Listening sockets on the port, each of which accepts one connection per turn of the event loop; 1 by default. */
  readonly listeners?: number;
  /** Whether callers should go elsewhere: then each answer closes its connection. New connections are still accepted. */
  readonly isLeaving?: () => boolean;
  /** Whether it stops as a resource does, after all work. By default it stops with the work. */
  readonly untilTheEnd?: boolean;
}

/** How often idle connections are closed during the stop. */
const CLOSE_IDLE_EVERY_MS = 100;

/** Then the remaining connections are cut, so that there is time to stop the other parts in order. */
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Serves HTTP until the lifecycle stops. Then it finishes the running requests, for 10 s at most, and closes each keep-alive
 * connection with its next answer. Resolves with the port.
 */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<number> {
  const { name, lifecycle, untilTheEnd = false } = options;
  const begin = (): Promise<Listening> => open(listener, options);
  const { server } = await (untilTheEnd
    ? lifecycle.start(name, begin, close)
    : lifecycle.startListener(name, begin, close));
  return (server.address() as AddressInfo).port;
}

interface Listening {
  readonly server: Server;
  /** Further sockets on the same port. */
  readonly besides: readonly Listener[];
}

async function open(
  listener: RequestListener,
  { host, port, listeners = 1, isLeaving = () => false, ...options }: ListenOptions,
): Promise<Listening> {
  const server: Server = createHttpServer(
    options,
    endingWith(() => isLeaving() || !server.listening, listener),
  );
  return { server, besides: await openListeners(server, { host, port, listeners }) };
}

/** While `isEnding`, each connection takes one more request, whose response closes the connection. */
function endingWith(isEnding: () => boolean, listener: RequestListener): RequestListener {
  const ending = new WeakSet<Socket>();
  return (request, response) => {
    if (isEnding()) {
      // Further requests on the connection are dropped, because they could not be answered.
      if (ending.has(request.socket)) return;
      ending.add(request.socket);
      response.setHeader('Connection', 'close');
    }
    listener(request, response);
  };
}

async function close({ server, besides }: Listening): Promise<void> {
  const closed = besides.map((listener) => new Promise((resolve) => listener.close(resolve)));
  await closeServer(server);
  await Promise.all(closed);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // Node closes only connections that are idle now, not those that become idle later.
    const leaving = setInterval(() => {
      server.closeIdleConnections();
    }, CLOSE_IDLE_EVERY_MS);
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, DRAIN_TIMEOUT_MS);
    server.close((error) => {
      clearInterval(leaving);
      clearTimeout(cut);
      if (error) reject(error);
      else resolve();
    });
  });
}

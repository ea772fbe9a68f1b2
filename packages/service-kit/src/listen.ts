import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Server as Listener, Socket } from 'node:net';
import { createHttpServer, type HttpServerOptions } from '@tocsin/http';
import { openListeners } from './listeners.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface ListenOptions extends HttpServerOptions {
  readonly name: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly lifecycle: Lifecycle;
  /** How many connections are taken in one turn of the event loop; 1 unless given. */
  readonly listeners?: number;
  /** Whether callers should go elsewhere: each answer then ends its connection, and new ones are taken still. */
  readonly isLeaving?: () => boolean;
  /** It answers until all else has stopped; unless it does, it is inbound and closes first. */
  readonly untilTheEnd?: boolean;
}

/** How often connections are looked through at the stop, in milliseconds. */
const LEFT_EVERY_MS = 100;

/** What is still under way after this, in milliseconds, is cut, so that the other parts are stopped in order too. */
const LONGEST_DRAIN_MS = 10_000;

/**
 * Serves HTTP until the lifecycle stops; requests under way are finished first, for 10 s at most, whoever keeps asking on a
 * connection that is kept. Resolves with the port.
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
  /** Further sockets on its port. */
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

/** From then on each connection takes one more request; its response closes the connection. */
function endingWith(isEnding: () => boolean, listener: RequestListener): RequestListener {
  const ending = new WeakSet<Socket>();
  return (request, response) => {
    if (isEnding()) {
      // Requests sent after the last response are dropped: their callers could not be answered.
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
    // Node closes those that are idle now, not those that become so.
    const leaving = setInterval(() => {
      server.closeIdleConnections();
    }, LEFT_EVERY_MS);
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, LONGEST_DRAIN_MS);
    server.close((error) => {
      clearInterval(leaving);
      clearTimeout(cut);
      if (error) reject(error);
      else resolve();
    });
  });
}

import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ListenersOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How many connections are taken in one turn of the event loop, 1 or more. */
  readonly listeners: number;
}

/** How many connections the system keeps for each listener until we take them. */
const BACKLOG = 4_096;

/**
 * Listens with `server`, through as many sockets on one port as there are listeners, and resolves with those beside its own.
 * Node takes one connection of a socket in each turn of its event loop: with a single one, callers who come faster than they
 * are served wait unseen in the system's queue, for seconds, where nobody can refuse them (F3).
 *
 * @throws Error where another process listens on the port; where the system knows no shared ports there is one.
 */
export async function openListeners(
  server: HttpServer,
  { host, port, listeners }: ListenersOptions,
): Promise<readonly Server[]> {
  if (listeners === 1) {
    await listening(server, { host, port, backlog: BACKLOG });
    return [];
  }
  // A port that is shared among our own sockets would be shared with another process of ours as well.
  const shared = { host, port: await freed(host, port), backlog: BACKLOG, reusePort: true };
  try {
    await listening(server, shared);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTSUP') throw error;
    await listening(server, { ...shared, reusePort: false });
    return [];
  }
  return Promise.all(Array.from({ length: listeners - 1 }, () => listening(besides(server), shared)));
}

/** A socket of its own, the connections of which are the server's. */
function besides(server: HttpServer): Server {
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.on('connection', (socket) => server.emit('connection', socket));
  listener.on('clientError', (...refused: unknown[]) => server.emit('clientError', ...refused));
  return listener;
}

async function freed(host: string, port: number): Promise<number> {
  const probe = await listening(createServer(), { host, port });
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

function listening<S extends Server>(server: S, options: ListenOptions): Promise<S> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(options, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

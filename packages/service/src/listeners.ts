import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';

export interface ListenersOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** How many sockets, 1 or more. */
  readonly listeners: number;
}

/** How many connections the system queues for each socket until we accept them. */
const BACKLOG = 4_096;

/**
 * Listens with `server` through several sockets on one port, and resolves with those beside its own. Node accepts one connection
 * of a socket in each turn of its event loop. With a single socket, a flood of callers waits for seconds in the system's queue,
 * where we cannot refuse them (F3). Where the system does not support `reusePort` there is one socket.
 *
 * @throws Error where another process listens on the port.
 */
export async function openListeners(
  server: HttpServer,
  { host, port, listeners }: ListenersOptions,
): Promise<readonly Server[]> {
  if (listeners === 1) {
    await listening(server, { host, port, backlog: BACKLOG });
    return [];
  }
  // With `reusePort`, another process of Tocsin could listen on the same port unnoticed. So it is first opened without.
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

/** A socket that passes its connections to `server`. */
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

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Serves HTTP until the lifecycle stops; requests under way are finished first. Resolves with the port. */
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
    const server = createServer(waits, listener).once('error', reject);
    server.listen(port, host, () => {
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error) reject(error);
      else resolve();
    });
    server.closeIdleConnections();
  });
}

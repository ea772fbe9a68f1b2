import { randomInt } from 'node:crypto';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HOST = '127.0.0.1';

/** Below the ports that systems give to outgoing connections, so that none takes ours while a server is down. */
const LOWEST = 20_000;
/**
 * Processes that follow each other look in parts of their own: a port that one has found, and nobody listens on yet, is not found by
 * another that starts servers at the same time.
 */
const PARTS = 12;
const PORTS_OF_A_PART = 1_000;

/** A port that was given may not be listened on yet, so it is not given again by this process. */
const given = new Set<number>();

/**
 * Gives a TCP port of 127.0.0.1 that nothing listened on a moment ago, outside the range of outgoing connections, and never
 * one of those that it gave before.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + (process.pid % PARTS) * PORTS_OF_A_PART + randomInt(PORTS_OF_A_PART);
    if (given.size === PORTS_OF_A_PART) given.clear();
    if (given.has(port)) continue;
    given.add(port);
    if (await bindable(port)) return port;
  }
}

/** Tells whether a server could listen on `port` of 127.0.0.1 right now. */
export function bindable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, HOST, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/** Tells whether something accepts connections on `port` of 127.0.0.1 right now. */
export function portAnswers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, HOST);
    const settle = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', () => {
      settle(true);
    });
    socket.once('error', () => {
      settle(false);
    });
  });
}

/** Resolves once `port` accepts connections; gives up as soon as `abandon` says why. */
export async function portOpen(port: number, abandon: () => string | undefined): Promise<void> {
  while (!(await portAnswers(port))) {
    const reason = abandon();
    if (reason !== undefined) throw new Error(reason);
    await pause(25);
  }
}

import { randomInt } from 'node:crypto';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HOST = '127.0.0.1';

/** Below the range of outgoing connections, so that none of these takes a port while its server is down. */
const LOWEST = 20_000;
/**
 * Processes with successive ids search in different parts of the range, so that two that start servers at the same time do not
 * find the same free port.
 */
const PARTS = 12;
const PORTS_OF_A_PART = 1_000;

/** Ports that this process has returned. No process may listen on them yet, so they are not returned again. */
const given = new Set<number>();

/** A free TCP port of 127.0.0.1. Returns none again before it has returned all of its part of the range. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + (process.pid % PARTS) * PORTS_OF_A_PART + randomInt(PORTS_OF_A_PART);
    if (given.size === PORTS_OF_A_PART) given.clear();
    if (given.has(port)) continue;
    given.add(port);
    if (await bindable(port)) return port;
  }
}

/** Whether a server could listen on `port` of `host` now. */
export function bindable(port: number, host = HOST): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, host, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/** Whether a server accepts connections on `port` of 127.0.0.1 now. */
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

/** Resolves once `port` accepts connections. Rejects as soon as `abandon` returns a reason. */
export async function portOpen(port: number, abandon: () => string | undefined): Promise<void> {
  while (!(await portAnswers(port))) {
    const reason = abandon();
    if (reason !== undefined) throw new Error(reason);
    await pause(25);
  }
}

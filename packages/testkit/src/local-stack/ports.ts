import { randomInt } from 'node:crypto';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HOST = '127.0.0.1';

/** Below the range of outgoing connections, so that none of these takes a port while its server is down. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const BLOCK_SIZE = 20;
const BLOCKS = (HIGHEST - LOWEST) / BLOCK_SIZE;

/** The ports of its block that this process has not returned yet. */
const left: number[] = [];
let claim: Promise<void> | undefined;

/**
 * A free TCP port of 127.0.0.1. Only this process returns it, and only once. No process needs to listen on it yet.
 *
 * @throws Error when other processes hold all blocks of ports.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = left.pop();
    if (port !== undefined) {
      if (await bindable(port)) return port;
      continue;
    }
    claim ??= claimBlock().finally(() => {
      claim = undefined;
    });
    await claim;
  }
}

/** Claims a block of ports until this process ends: it listens on the first one, which only one process can do, and returns the others. */
async function claimBlock(): Promise<void> {
  const start = randomInt(BLOCKS);
  for (let index = 0; index < BLOCKS; index += 1) {
    const first = LOWEST + ((start + index) % BLOCKS) * BLOCK_SIZE;
    const guard = await listening(first, HOST);
    if (guard === undefined) continue;
    guard.unref();
    for (let port = first + 1; port < first + BLOCK_SIZE; port += 1) left.push(port);
    return;
  }
  throw new Error(`Other processes hold all ports from ${String(LOWEST)} to ${String(HIGHEST)}.`);
}

/** Whether a server could listen on `port` of `host` now. */
export async function bindable(port: number, host = HOST): Promise<boolean> {
  const server = await listening(port, host);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A server that listens on `port`; undefined where it cannot. */
function listening(port: number, host: string): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen(port, host, () => {
      resolve(server);
    });
  });
}

/** Whether a server accepts connections on `port` of `host`, by default 127.0.0.1, now. */
export function portAnswers(port: number, host = HOST): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, host);
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

/** Resolves once `port` of `host` accepts connections. Rejects as soon as `abandon` returns a reason. */
export async function portOpen(port: number, abandon: () => string | undefined, host = HOST): Promise<void> {
  while (!(await portAnswers(port, host))) {
    const reason = abandon();
    if (reason !== undefined) throw new Error(reason);
    await pause(25);
  }
}

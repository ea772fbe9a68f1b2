import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HOST = '127.0.0.1';

/** Gives a TCP port of 127.0.0.1 that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
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

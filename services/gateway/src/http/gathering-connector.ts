import { Socket } from 'node:net';
import { buildConnector } from 'undici';

const KEEP_ALIVE_MS = 60_000;

/** Whatever is corked within one turn of the event loop leaves at its end, in one write: each wakes the other side. */
class GatheringSocket extends Socket {
  #end: NodeJS.Immediate | undefined;

  override cork(): void {
    if (this.writableCorked === 0) super.cork();
  }

  override uncork(): void {
    if (this.#end !== undefined) return;
    this.#end = setImmediate(() => {
      this.#end = undefined;
      super.uncork();
    });
  }
}

/**
 * Makes connections on which the requests of one turn of the event loop leave together, unless they are encrypted.
 *
 * @param timeoutMs how long connecting may take, real time
 */
export function gatheringConnector(timeoutMs: number): buildConnector.connector {
  const encrypted = buildConnector({ timeout: timeoutMs });
  return (options, callback) => {
    if (options.protocol === 'https:') {
      encrypted(options, callback);
      return;
    }
    const socket = new GatheringSocket().setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    const tooLong = () => socket.destroy(new Error('The connection was not made in time.'));
    const failed = (error: Error) => {
      callback(error, null);
    };
    socket.setTimeout(timeoutMs, tooLong).once('error', failed);
    socket.connect(Number(options.port || '80'), options.hostname, () => {
      socket.setTimeout(0, tooLong).off('error', failed);
      callback(null, socket);
    });
  };
}

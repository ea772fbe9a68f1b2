import { once } from 'node:events';
import net from 'node:net';
import type { WireProtocol } from './wire-protocols.ts';

/** A request before it reaches the server, or an answer before it reaches the client. */
export interface Passing {
  readonly when: 'before' | 'after';
  /** The kind of the request, in the words of the protocol. */
  readonly what: string;
}

/** Decides about a message. A message that is held also holds back all later ones of its connection, until `release`. */
export type Watcher = (passing: Passing) => 'pass' | 'hold';

/**
 * A proxy between a process and a server, which shows each request and each answer before it forwards it, so that a test can end or
 * freeze the process right before or after any of them. When one side ends a connection, the proxy ends it for the other.
 */
export class WatchedProxy {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #streams = new Set<WatchedStream>();
  #watcher: Watcher = () => 'pass';

  private constructor(target: number, protocol: WireProtocol) {
    this.#server = net.createServer((client) => {
      this.#join(client, net.connect(target, '127.0.0.1'), protocol);
    });
  }

  /** Listens on `port` of 127.0.0.1, by default a free one, and forwards all to the port `target` there. */
  static async start(target: number, protocol: WireProtocol, port = 0): Promise<WatchedProxy> {
    const proxy = new WatchedProxy(target, protocol);
    await once(proxy.#server.listen(port, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  /** Sets the only watcher. */
  watch(watcher: Watcher): void {
    this.#watcher = watcher;
  }

  /** Forwards all held messages, in order. */
  release(): void {
    for (const stream of this.#streams) stream.release();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server.close(), 'close');
  }

  #join(client: net.Socket, server: net.Socket, protocol: WireProtocol): void {
    const asked = new Map<number, string>();
    const requests = new WatchedStream(server, protocol, (message) => {
      const { id, what } = protocol.askedBy(message);
      asked.set(id, what);
      return this.#watcher({ when: 'before', what });
    });
    const answers = new WatchedStream(client, protocol, (message) => {
      const id = protocol.answeredBy(message);
      const what = asked.get(id);
      asked.delete(id);
      return what === undefined ? 'pass' : this.#watcher({ when: 'after', what });
    });
    const end = (): void => {
      client.destroy();
      server.destroy();
      for (const stream of [requests, answers]) this.#streams.delete(stream);
    };
    for (const [socket, stream] of [
      [client, requests],
      [server, answers],
    ] as const) {
      this.#sockets.add(socket);
      this.#streams.add(stream);
      socket
        .setNoDelay(true)
        .on('data', (chunk) => {
          stream.take(chunk);
        })
        .on('error', end)
        .on('close', () => {
          this.#sockets.delete(socket);
          end();
        });
    }
  }
}

/** One direction of one connection. */
class WatchedStream {
  readonly #to: net.Socket;
  readonly #protocol: WireProtocol;
  readonly #judge: (message: Buffer) => 'pass' | 'hold';
  #waiting: Buffer = Buffer.alloc(0);
  #isHeld = false;

  constructor(to: net.Socket, protocol: WireProtocol, judge: (message: Buffer) => 'pass' | 'hold') {
    this.#to = to;
    this.#protocol = protocol;
    this.#judge = judge;
  }

  take(chunk: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    if (!this.#isHeld) this.#forward();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#pass(this.#protocol.lengthOf(this.#waiting));
    this.#forward();
  }

  #forward(): void {
    for (;;) {
      const length = this.#protocol.lengthOf(this.#waiting);
      if (length === 0 || length > this.#waiting.length) return;
      if (this.#judge(this.#waiting.subarray(0, length)) === 'hold') {
        this.#isHeld = true;
        return;
      }
      this.#pass(length);
    }
  }

  #pass(length: number): void {
    this.#to.write(this.#waiting.subarray(0, length));
    this.#waiting = this.#waiting.subarray(length);
  }
}

import net from 'node:net';
import { freePort } from './local-stack/index.ts';

/** The fate of an answer of the broker: the proxy forwards it to the client, or destroys both sockets first. */
export type AnswerFate = 'pass' | 'cut';

const PRODUCE = 0;
const LENGTH_BYTES = 4;

/**
 * A proxy between Kafka clients and one broker, which can destroy their sockets, also at the worst moment: after the broker has
 * appended and before the client gets the answer. Start the broker with `advertisedPort: proxy.port`.
 */
export class KafkaProxy {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  #target = 0;
  #refusing = false;
  #answered = 0;
  #decide: (nth: number) => AnswerFate = () => 'pass';
  readonly port: number;

  private constructor(port: number) {
    this.port = port;
    this.#server = net.createServer((client) => {
      this.#join(client);
    });
  }

  /** A proxy that listens on a free port of 127.0.0.1. `forwardTo` sets its target. */
  static async start(): Promise<KafkaProxy> {
    const proxy = new KafkaProxy(await freePort());
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(proxy.port, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get brokers(): string {
    return `127.0.0.1:${this.port}`;
  }

  forwardTo(port: number): void {
    this.#target = port;
  }

  /** Asks `decide` about every answer to a produce request, counted from 0 over the life of the proxy. */
  onProduceAnswer(decide: (nth: number) => AnswerFate): void {
    this.#decide = decide;
  }

  /** Destroys every open connection; new ones are accepted. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Destroys every connection, and every new one, until `accept`. */
  refuse(): void {
    this.#refusing = true;
    this.cutAll();
  }

  accept(): void {
    this.#refusing = false;
  }

  async stop(): Promise<void> {
    this.refuse();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: net.Socket): void {
    if (this.#refusing) {
      client.destroy();
      return;
    }
    const broker = net.connect(this.#target, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      broker.destroy();
    };
    for (const socket of [client, broker]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', cut).on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    const pending = new Set<number>();
    forwardFrames(client, broker, (frame) => {
      if (frame.readInt16BE(LENGTH_BYTES) === PRODUCE) pending.add(frame.readInt32BE(LENGTH_BYTES + 4));
      return true;
    });
    forwardFrames(broker, client, (frame) => {
      if (!pending.delete(frame.readInt32BE(LENGTH_BYTES))) return true;
      if (this.#decide(this.#answered++) === 'pass') return true;
      cut();
      return false;
    });
  }
}

/** A frame of Kafka has a length of four bytes and that many bytes. A whole frame is forwarded when `lets` returns true for it. */
function forwardFrames(from: net.Socket, to: net.Socket, lets: (frame: Buffer) => boolean): void {
  let held: Buffer = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= LENGTH_BYTES && held.length >= LENGTH_BYTES + held.readInt32BE(0)) {
      const frame = held.subarray(0, LENGTH_BYTES + held.readInt32BE(0));
      held = held.subarray(frame.length);
      if (!lets(frame)) return;
      to.write(frame);
    }
  });
}

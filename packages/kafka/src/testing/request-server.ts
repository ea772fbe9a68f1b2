import net, { type AddressInfo } from 'node:net';

/** A server that receives requests of the Kafka protocol. A test gives the answers. */
export class RequestServer {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  port = 0;
  /** The requests that came, in order. */
  readonly requests: Buffer[] = [];
  /** Called with each request. By default it is not answered. */
  onRequest: (request: Buffer, socket: net.Socket) => void = () => undefined;

  private constructor() {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (request) => {
        this.requests.push(request);
        this.onRequest(request, socket);
      });
    });
  }

  static async start(): Promise<RequestServer> {
    const server = new RequestServer();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    server.#server.listen(0, '127.0.0.1', () => {
      server.port = (server.#server.address() as AddressInfo).port;
      resolve(undefined);
    });
    await promise;
    return server;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** The answer to a request for the API versions, version 0, which names the one API `key`. */
export function apiVersions(request: Buffer, key: number): Buffer {
  const answer = Buffer.alloc(20);
  answer.writeInt32BE(16, 0);
  answer.writeInt32BE(request.readInt32BE(8), 4);
  answer.writeInt32BE(1, 10);
  answer.writeInt16BE(key, 14);
  return answer;
}

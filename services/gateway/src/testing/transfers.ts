import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { GatewayOptions } from '../app.ts';
import { json, key, Stage } from './stage.ts';
import type { Upstream } from '../forward/upstream.ts';

/** The answer of a service to a valid upload. */
export const ok = json(201, { result: 'Created' });

export const MULTIPART = 'multipart/form-data; boundary=B';

/** The caller and the gateway of a transfer; each transfer has its own by default. */
interface TransferOptions extends Partial<GatewayOptions> {
  readonly port?: number;
  readonly withKey?: string;
  readonly localAddress?: string;
}

/** A gateway before a service whose handling of a request the test decides byte by byte. */
export class Transfers {
  readonly stage: Stage;
  readonly owner: Server;
  behave: (request: IncomingMessage, response: Parameters<typeof ok>[1]) => void = ok;
  #upstream: Upstream;
  /** Of callers to the gateway, at its end. */
  readonly connections: Socket[] = [];
  readonly #opened: Server[] = [];

  private constructor(stage: Stage, owner: Server) {
    this.stage = stage;
    this.owner = owner;
    this.#upstream = stage.upstreamAt(owner);
    this.#opened.push(owner);
    owner.on('request', (request: IncomingMessage, response: Parameters<typeof ok>[1]) => {
      this.behave(request, response);
    });
  }

  static async start(): Promise<Transfers> {
    const owner = createServer().listen(0, '127.0.0.1');
    await once(owner, 'listening');
    return new Transfers(await Stage.start(), owner);
  }

  /** @throws AggregateError of what the gateway could not account for. */
  async stop(): Promise<void> {
    for (const server of this.#opened.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    await this.#upstream.close();
    await this.stage.stop();
    if (this.stage.defects.length > 0) throw new AggregateError(this.stage.defects, 'unexpected defects');
  }

  /** Gives the gateway a shorter timeout or fewer connections for the service. */
  async limit(options: Parameters<Stage['upstreamAt']>[1]): Promise<void> {
    await this.#upstream.close();
    this.#upstream = this.stage.upstreamAt(this.owner, options);
  }

  /** An upload on a real connection, the course of which is up to the test. */
  async upload(
    headers: Record<string, string> = {},
    options: TransferOptions = {},
  ): Promise<{ request: ClientRequest; answer: Promise<IncomingMessage> }> {
    const request = httpRequest({
      host: '127.0.0.1',
      method: 'POST',
      path: '/v2/alerts/x/attachments',
      port: options.port ?? (await this.gateway(options)),
      headers: { Authorization: `GenieKey ${options.withKey ?? key}`, 'Content-Type': MULTIPART, ...headers },
    });
    const answer = once(request, 'response').then(([response]) => response as IncomingMessage);
    answer.catch(() => undefined);
    return { request: request.on('error', () => undefined), answer };
  }

  /** The answer to a link on a real connection; nothing of it is read yet. */
  async download(options: TransferOptions = {}): Promise<IncomingMessage> {
    const port = options.port ?? (await this.gateway(options));
    const { localAddress } = options;
    const request = httpRequest({ port, host: '127.0.0.1', path: '/v2/attachments/token', localAddress, agent: false });
    request.on('error', () => undefined).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.on('error', () => undefined).pause();
  }

  /** The port of a gateway, for several requests to it. */
  async gateway(options: Partial<GatewayOptions> = {}): Promise<number> {
    const upstreams = new Map([
      ['alert-processor', this.#upstream],
      ['alert-ingest', this.#upstream],
    ] as const);
    const app = this.stage.gateway({ upstreams, ...options });
    const gateway = createServer(app).listen(0, '127.0.0.1');
    this.#opened.push(gateway);
    gateway.on('connection', (socket) => this.connections.push(socket));
    await once(gateway, 'listening');
    return (gateway.address() as AddressInfo).port;
  }
}

/** All that a stream gives. */
export async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

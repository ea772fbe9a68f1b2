import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What becomes of a request. */
export const FAULTS = [
  'is cut off before it arrives',
  'is cut off after it was handled',
  'is cut off in the middle of its answer',
  'arrives twice at the same time',
  'gets no answer until the client gives up',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface PassedRequest {
  readonly method: string;
  readonly path: string;
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** An HTTP proxy before a gateway, which does to each request what the test decides. */
export class FaultyProxy {
  /** Asked once for each request, in the order in which they come. */
  faultOf: (request: PassedRequest) => Fault | undefined = () => undefined;
  readonly #server: Server;
  readonly #target: () => string;

  private constructor(target: () => string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  /** Listens on a free port of 127.0.0.1, and forwards to the URL `target`. */
  static async start(target: () => string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const fault = this.faultOf({ method: request.method ?? '', path: request.url ?? '' });
    if (fault === 'is cut off before it arrives') {
      response.destroy();
      return;
    }
    const copies = fault === 'arrives twice at the same time' ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: copies }, () => this.#passOn(request, body)));
    const { status, text } = answers.at(-1) ?? { status: 502, text: '' };
    if (fault === 'gets no answer until the client gives up') return;
    if (fault === 'is cut off after it was handled') {
      response.destroy();
      return;
    }
    const content = Buffer.from(text);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length });
    if (fault === undefined || copies === 2) response.end(content);
    else response.write(content.subarray(0, content.length / 2), () => response.destroy());
  }

  async #passOn({ headers, method = '', url = '' }: IncomingMessage, body: Buffer): Promise<Answered> {
    const answer = await fetch(this.#target() + url, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body.length > 0 && { body: body.toString() }),
    });
    return { status: answer.status, text: await answer.text() };
  }
}

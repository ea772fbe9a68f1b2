import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../eventually.ts';
import { behave, type Behaviour, type Said } from './behaviour.ts';

/** A request as a double sees it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Buffer;
}

/** The result of a double for a request: no message, or a message and its answer. */
export type Reading<T> =
  | { readonly refused: { readonly status: number; readonly body: string } }
  | { readonly message: T; readonly said: Said };

/** A provider of messages that is a real HTTP server. A test sets how it behaves. */
export interface ProviderDouble<T> {
  /** Its base URL, without a slash at its end. */
  readonly url: string;
  /** Every accepted message, oldest first, also those whose sender got no answer. */
  readonly taken: readonly T[];
  /** Every request that came, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Calls `listener` with each message as it is accepted, also with one whose sender gets no answer. */
  onAccepted(listener: (message: T) => void): void;
  /** How it handles the next requests, one after the other. Later requests are accepted again. */
  next(...behaviours: readonly Behaviour[]): void;
  /** How it handles each request for which `next` has nothing; undefined: accepts it. */
  always(behaviour: Behaviour | undefined): void;
  /** Limits the requests in a second; it answers 429 to further ones. */
  throttle(perSecond: number): void;
  /**
   * Resolves with the oldest message that `matches` and that no earlier call returned.
   *
   * @throws Error when there is none within `timeoutMs` (by default that of `eventually`); the message lists the accepted ones.
   */
  received(matches: (message: T) => boolean, options?: { timeoutMs?: number }): Promise<T>;
  /** The messages that no call of `received` returned. A test ends by expecting none. */
  unexpected(): readonly T[];
  stop(): Promise<void>;
}

/** Starts a double on a free port of this machine; `read` reads a request as this provider does. */
export async function startDouble<T>(
  read: (request: SeenRequest, count: number) => Reading<T> | Promise<Reading<T>>,
): Promise<ProviderDouble<T>> {
  const taken: T[] = [];
  const requests: SeenRequest[] = [];
  const listeners: ((message: T) => void)[] = [];
  const asked = new Set<T>();
  const behaviours: { next: Behaviour[]; always: Behaviour | undefined } = { next: [], always: undefined };
  const rate = new Rate();
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrived = await seen(request);
    requests.push(arrived);
    if (rate.isExceeded()) return behave(response, TOO_MANY, NOTHING);
    const reading = await read(arrived, requests.length);
    if ('refused' in reading) return behave(response, refusalOf(reading.refused), NOTHING);
    return behave(response, behaviours.next.shift() ?? behaviours.always, () => {
      taken.push(reading.message);
      for (const listener of listeners) listener(reading.message);
      return reading.said;
    });
  };
  const server = createServer((request, response) => {
    // A caller that disconnects in the middle of a request gets no answer.
    reply(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const unexpected = (): T[] => taken.filter((message) => !asked.has(message));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    requests,
    onAccepted: (listener) => void listeners.push(listener),
    next: (...added) => behaviours.next.push(...added),
    always: (behaviour) => {
      behaviours.always = behaviour;
    },
    throttle: (perSecond) => {
      rate.perSecond = perSecond;
    },
    received: (matches, options) =>
      eventually(() => {
        const message = unexpected().find((each) => matches(each));
        if (message === undefined) throw new Error(`No such message. Taken: ${JSON.stringify(taken)}`);
        asked.add(message);
        return message;
      }, options),
    unexpected,
    stop: () => stopped(server),
  };
}

const NOTHING = (): Said => ({ status: 200, body: '' });
const TOO_MANY: Behaviour = { refuse: 429, headers: { 'retry-after': '1' }, body: '{"message":"Too many requests"}' };

const refusalOf = ({ status, body }: { status: number; body: string }): Behaviour => ({
  refuse: status,
  headers: { 'content-type': 'application/json' },
  body,
});

async function seen(request: IncomingMessage): Promise<SeenRequest> {
  const url = new URL(request.url ?? '/', 'http://double');
  const { headers, method = '' } = request;
  const bytes = await buffer(request);
  return { method, path: url.pathname, query: url.searchParams, headers, body: bytes.toString(), bytes };
}

async function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  await once(server.close(), 'close');
}

/** The number of requests within this second. */
class Rate {
  perSecond = Infinity;
  #second = 0;
  #count = 0;

  isExceeded(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    this.#count = second === this.#second ? this.#count + 1 : 1;
    this.#second = second;
    return this.#count > this.perSecond;
  }
}

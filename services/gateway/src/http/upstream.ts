import type { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { AppError, BadGatewayError } from '@tocsin/errors';
import { Admission, Circuit, type CircuitOptions, type ShareBounds } from '@tocsin/http';
import { type Answered, Exchange } from './exchange.ts';

export interface UpstreamOptions {
  /** Scheme, host and port. */
  readonly url: string;
  /** The longest silence, real time. */
  readonly timeoutMs: number;
  /** How many requests are sent at a time, each on a connection of its own; as many more may wait for a moment. */
  readonly connections: ShareBounds;
  /** Long bodies have connections of their own, so that slow callers take none from the others; nobody waits for one. */
  readonly transfers: ShareBounds;
  /** When callers are no longer kept waiting for a service that does not answer. */
  readonly circuit: CircuitOptions;
}

/** A `transfer` has a body or an answer that may be long and slow; all other requests are `short`. */
export type Way = 'short' | 'transfer';

/** A request as it goes to a service. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | Readable | undefined;
  readonly way: Way;
  /** Whose share of the connections it counts against. */
  readonly caller: string;
}

/** What the gateway asks of a service. */
export type ForwardingUpstream = Pick<Upstream, 'check' | 'forward' | 'isFull'>;

const CONNECT_TIMEOUT_MS = 2_000;
/** Together with a write to an alert this stays below the two seconds that anybody may have to wait (F3). */
const WAIT_MS = 500;
/** Errors that are the fault of the service, not of the caller. */
const TROUBLE: ReadonlySet<string> = new Set(['unavailable', 'bad-gateway', 'gateway-timeout']);

/** One service behind the gateway, over connections that are kept, each with one request at a time. */
export class Upstream {
  readonly #pools: Readonly<Record<Way, Pool>>;
  readonly #admissions: Readonly<Record<Way, Admission>>;
  readonly #circuit: Circuit;

  constructor({ url, timeoutMs, connections, transfers, circuit }: UpstreamOptions) {
    const connect = { timeout: CONNECT_TIMEOUT_MS };
    const waits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    this.#circuit = new Circuit(circuit);
    this.#pools = {
      short: new Pool(url, { connections: connections.inAll, connect, ...waits }),
      transfer: new Pool(url, { connections: transfers.inAll, connect, ...waits }),
    };
    this.#admissions = {
      short: new Admission({ atOnce: connections, waiting: connections, waitMs: WAIT_MS }),
      transfer: new Admission({ atOnce: transfers, waiting: { inAll: 0, each: 0 }, waitMs: 0 }),
    };
  }

  /** Whether anybody's request would be refused at once. */
  isFull(way: Way): boolean {
    return this.#admissions[way].isFull;
  }

  /** @throws UnavailableError where a request of this caller would be refused at once. */
  check(way: Way, caller: string): void {
    this.#circuit.check();
    this.#admissions[way].check(caller);
  }

  /**
   * Sends `request` on and passes the answer through, status and body unchanged. A GET whose connection broke before
   * anything was answered is sent once more; nothing else is ever sent twice.
   *
   * @throws UnavailableError, BadGatewayError or GatewayTimeoutError while nothing has reached the caller (E2); what ends a
   *   body that goes on as it comes.
   */
  async forward(request: ForwardedRequest, answered: Answered): Promise<void> {
    await this.#admissions[request.way].run(request.caller, async () => {
      // The caller may have left while it waited.
      if (!answered.response.destroyed) await this.#send(request, answered);
    });
  }

  /** Finishes what is under way, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  async #send(request: ForwardedRequest, answered: Answered): Promise<void> {
    const sentAtMs = this.#circuit.enter();
    try {
      await this.#exchange(request, answered).catch((error: unknown) => {
        const again = error instanceof BadGatewayError && request.method === 'GET' && !answered.response.destroyed;
        if (!again) throw error;
        return this.#exchange(request, answered);
      });
    } catch (error) {
      if (error instanceof AppError && TROUBLE.has(error.code)) this.#circuit.failed(sentAtMs, error.cause ?? error);
      throw error;
    }
  }

  #exchange({ method, target, headers, body, way }: ForwardedRequest, answered: Answered) {
    return new Promise<void>((resolve, reject) => {
      const options: Dispatcher.DispatchOptions = { method, path: target, headers, body: body ?? null };
      const heard = () => {
        this.#circuit.answered();
      };
      this.#pools[way].dispatch(options, new Exchange(answered, { answered: heard, done: resolve, failed: reject }));
    });
  }
}

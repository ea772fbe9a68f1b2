import type { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { AppError, BadGatewayError } from '@tocsin/core';
import { Admission, Circuit, type CircuitOptions, type ShareBounds } from '@tocsin/http';
import { type ClientResponse, Exchange, NotSentError } from './exchange.ts';

export interface UpstreamOptions {
  /** Scheme, host and port. */
  readonly url: string;
  /** The longest silence, real time. */
  readonly timeoutMs: number;
  /** How many requests are sent at a time, each on a connection of its own; as many more may wait for a moment. */
  readonly connections: ShareBounds;
  /** The same for long bodies, which have connections of their own so that slow callers take none from other requests. None waits. */
  readonly transfers: ShareBounds;
  /** When requests are refused at once because the service does not answer. */
  readonly circuit: CircuitOptions;
}

const A_SERVICE = 'A service';

/** A `transfer` has a body or an answer that may be long and slow; all other requests are `short`. */
export type PoolKind = 'short' | 'transfer';

/** A request as it goes to a service. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | Readable | undefined;
  readonly poolKind: PoolKind;
  /** Whether it changes nothing, so that it may be sent twice. */
  readonly isRead: boolean;
  /** Whose share of the connections it counts against. */
  readonly caller: string;
}

/** The options of a request to a service. */
export type ForwardingUpstream = Pick<Upstream, 'check' | 'forward' | 'isFull'>;

const CONNECT_TIMEOUT_MS = 2_000;
/** With a write to an alert this stays below the two seconds that a caller may have to wait (F3). */
const WAIT_MS = 500;
/** The codes of errors of the service. */
const SERVICE_ERRORS: ReadonlySet<string> = new Set(['unavailable', 'bad-gateway', 'gateway-timeout']);

/** One service behind the gateway, over connections that are kept, each with one request at a time. */
export class Upstream {
  readonly #pools: Readonly<Record<PoolKind, Pool>>;
  readonly #admissions: Readonly<Record<PoolKind, Admission>>;
  readonly #circuit: Circuit;
  readonly #subject: string;

  constructor({ url, timeoutMs, connections, transfers, circuit }: UpstreamOptions) {
    const connect = { timeout: CONNECT_TIMEOUT_MS };
    const waits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    this.#circuit = new Circuit(circuit);
    this.#subject = circuit.subject ?? A_SERVICE;
    this.#pools = {
      short: new Pool(url, { connections: connections.inAll, connect, ...waits }),
      transfer: new Pool(url, { connections: transfers.inAll, connect, ...waits }),
    };
    this.#admissions = {
      short: new Admission({ ...connections, waiting: connections, waitMs: WAIT_MS }),
      transfer: new Admission(transfers),
    };
  }

  /** Whether a request of any caller would be refused at once. */
  isFull(poolKind: PoolKind): boolean {
    return this.#admissions[poolKind].isFull;
  }

  /** @throws UnavailableError where a request of this caller would be refused at once. */
  check(poolKind: PoolKind, caller: string): void {
    this.#circuit.check();
    this.#admissions[poolKind].check(caller);
  }

  /**
   * Sends `request` and passes the answer through, status and body unchanged. A read whose connection broke before the answer is
   * sent once more. Other requests are never sent twice.
   *
   * @throws UnavailableError, BadGatewayError or GatewayTimeoutError while nothing has reached the caller (E2); the error
   *   that ends an upload.
   */
  async forward(request: ForwardedRequest, client: ClientResponse): Promise<void> {
    await this.#admissions[request.poolKind].run(request.caller, async () => {
      // The caller may have left while it waited.
      if (!client.response.destroyed) await this.#send(request, client);
    });
  }

  /** Finishes what is under way, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  async #send(request: ForwardedRequest, client: ClientResponse): Promise<void> {
    const sentAtMs = this.#circuit.enter();
    try {
      await this.#exchange(request, client).catch((error: unknown) => {
        const again = error instanceof BadGatewayError && request.isRead && !client.response.destroyed;
        if (!again) throw error;
        return this.#exchange(request, client);
      });
    } catch (error) {
      if (error instanceof AppError && SERVICE_ERRORS.has(error.code) && !(error instanceof NotSentError))
        this.#circuit.failed(sentAtMs, error.cause ?? error);
      throw error;
    }
  }

  #exchange({ method, target, headers, body, poolKind }: ForwardedRequest, client: ClientResponse) {
    return new Promise<void>((resolve, reject) => {
      const options: Dispatcher.DispatchOptions = { method, path: target, headers, body: body ?? null };
      const onAnswered = () => {
        this.#circuit.answered();
      };
      const events = { onAnswered, onDone: resolve, onFailed: reject };
      this.#pools[poolKind].dispatch(options, new Exchange(client, events, this.#subject));
    });
  }
}

import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { type Clock, UnavailableError } from '@tocsin/core';
import type { Method } from '@tocsin/api';
import type { ServiceName } from '@tocsin/events';
import {
  type Caller,
  PRINCIPAL_HEADER,
  type PrincipalSigner,
  type ServiceCaller,
  type UserPrincipal,
} from './authentication/index.ts';
import { REQUEST_ID_HEADER } from './headers.ts';

/** The parts of an {@link InternalClient}. */
export interface InternalClientOptions {
  /** Scheme, host and port of the service that is called. */
  readonly baseUrl: string;
  readonly signer: PrincipalSigner;
  /** The calling service. */
  readonly caller: ServiceName;
  /** The service that is called. */
  readonly audience: ServiceName;
  readonly clock: Clock;
  /** For the whole answer, real time. */
  readonly timeoutMs?: number;
  /** Without it no request is traced. */
  readonly tracer?: RequestTracer;
}

/** The part of a tracer that the client uses; that of `@tocsin/service` has it. */
interface RequestTracer {
  /** The trace context of the running code. */
  current(): string | undefined;
  begin(name: string, options: RequestSpanOptions): RequestSpan | undefined;
}

interface RequestSpanOptions {
  readonly kind: 'client';
  readonly parent: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

interface RequestSpan {
  readonly context: string;
  set(attributes: Readonly<Record<string, number>>): void;
  end(failure?: string): void;
}

export interface InternalReply {
  /** Below 500. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls the operations of the API that a service has, for a user. */
export interface UserClient {
  get(path: string): Promise<InternalReply>;
  /** `requestId` is a UUID: a command of an alert has one effect for each. */
  post(path: string, body: unknown, requestId: string): Promise<InternalReply>;
}

interface SentBody {
  readonly type: string;
  readonly content: string | Buffer | Readable;
  /** The client's own by default. */
  readonly timeoutMs?: number;
  /** A new one by default. */
  readonly requestId?: string;
}

interface RequestParts {
  readonly body: SentBody | undefined;
  readonly caller: Caller;
  readonly traceparent: string | undefined;
}

const DEFAULT_TIMEOUT_MS = 2_000;
const BYTES_TIMEOUT_MS = 60_000;
const CONNECTIONS = 16;

const json = (body: unknown): SentBody => ({ type: 'application/json', content: JSON.stringify(body) });

/**
 * Calls the internal routes of one other service, over keep-alive connections; for a user, its operations.
 *
 * Every method throws UnavailableError (503, E2) when there is no answer in time, or the answer is a 5xx, a 401 or not JSON.
 * Nothing is retried, because only the caller knows whether that is safe.
 */
export class InternalClient {
  readonly #pool: Pool;
  readonly #caller: ServiceCaller;
  readonly #options: InternalClientOptions;

  constructor(options: InternalClientOptions) {
    this.#pool = new Pool(options.baseUrl, { connections: CONNECTIONS });
    this.#caller = { service: options.caller };
    this.#options = options;
  }

  get(path: string): Promise<InternalReply> {
    return this.#ask('GET', path);
  }

  put(path: string, body: unknown): Promise<InternalReply> {
    return this.#ask('PUT', path, json(body));
  }

  post(path: string, body: unknown): Promise<InternalReply> {
    return this.#ask('POST', path, json(body));
  }

  /**
   * Sends bytes as they are, with back-pressure. `timeoutMs` is real time, a minute by default. When the stream fails, so does
   * the request.
   */
  postBytes(
    path: string,
    bytes: Buffer | Readable,
    { timeoutMs = BYTES_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
  ): Promise<InternalReply> {
    return this.#ask('POST', path, { type: 'application/octet-stream', content: bytes, timeoutMs });
  }

  delete(path: string): Promise<InternalReply> {
    return this.#ask('DELETE', path);
  }

  /** Requests of a user, with the rights of that user and no more (K11, K12): the caller has authenticated the user. */
  actingAs(user: UserPrincipal): UserClient {
    return {
      get: (path) => this.#ask('GET', path, undefined, user),
      post: (path, body, requestId) => this.#ask('POST', path, { ...json(body), requestId }, user),
    };
  }

  /** Finishes the running requests, then closes the connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(method: Method, path: string, body?: SentBody, caller: Caller = this.#caller): Promise<InternalReply> {
    const { audience, tracer } = this.#options;
    const span = tracer?.begin(`${method} ${audience}`, {
      kind: 'client',
      parent: tracer.current(),
      attributes: { 'http.request.method': method, 'peer.service': audience },
    });
    try {
      const reply = await this.#answered(
        await this.#request(method, path, { body, caller, traceparent: span?.context }),
      );
      span?.set({ 'http.response.status_code': reply.status });
      span?.end();
      return reply;
    } catch (error) {
      span?.end('unavailable');
      throw new UnavailableError('A service that is needed does not answer. Please try again.', { cause: error });
    }
  }

  async #answered(request: Dispatcher.RequestOptions): Promise<InternalReply> {
    const response = await this.#pool.request(request);
    if (response.statusCode >= 500 || response.statusCode === 401) {
      await response.body.dump();
      throw new Error(`${request.method} ${request.path.replace(/\?.*/, '')} answered ${response.statusCode}`);
    }
    return { status: response.statusCode, body: (await response.body.json()) as InternalReply['body'] };
  }

  async #request(
    method: Method,
    path: string,
    { body, caller, traceparent }: RequestParts,
  ): Promise<Dispatcher.RequestOptions> {
    const { audience, signer, clock, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const headers = {
      [PRINCIPAL_HEADER]: await signer.sign(caller, audience, clock.now()),
      ...(body?.requestId !== undefined && { [REQUEST_ID_HEADER]: body.requestId }),
      ...(traceparent !== undefined && { traceparent }),
    };
    const signal = AbortSignal.timeout(body?.timeoutMs ?? timeoutMs);
    if (body === undefined) return { method, path, headers, signal };
    return { method, path, headers: { ...headers, 'content-type': body.type }, body: body.content, signal };
  }
}

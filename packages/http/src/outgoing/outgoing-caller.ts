import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { systemClock, withTimeout } from '@tocsin/core';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { AddressGuard } from './address-guard.ts';
import { openSocket, type OutgoingSocket, type SocketRequest, type UnopenedSocket } from './outgoing-socket.ts';
import { outgoingTarget, type OutgoingTarget, type Resolve } from './outgoing-target.ts';

/** One request to a server outside of the installation. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most 256 KiB. */
  readonly body?: string | Uint8Array;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/**
 * The outcome of a call. After `silent` it is unknown whether the other side acted. After `refused` (by us) and `unreached`, no
 * byte of the request was sent. A reason never contains the URL, whose query may be a secret.
 */
export type OutgoingOutcome =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreached'; readonly reason: string }
  | { readonly kind: 'silent'; readonly reason: string }
  | OutgoingAnswer;

export interface OutgoingAnswer {
  readonly kind: 'answered';
  readonly status: number;
  /** The first bytes, 16 KiB of them unless the caller reads more. */
  readonly body: string;
  /** Whether the body is incomplete: too long, broken off or late. */
  readonly isTruncated: boolean;
  /** For how long no request should be sent, by `Retry-After`, milliseconds, above 0; absent where the answer does not say so. */
  readonly retryAfterMs?: number;
}

export interface OutgoingCallerOptions {
  /** Allowed addresses and ranges beside the public internet: see {@link AddressGuard}. */
  readonly allowedRanges?: readonly string[];
  /** For a whole call, from the look-up of the name to the end of the answer, real time; 10 s by default. */
  readonly timeoutMs?: number;
  /** The most bytes that are read of an answer, 16 KiB by default. */
  readonly maxAnswerBytes?: number;
  /** The system's resolver by default. */
  readonly resolve?: Resolve;
}

/** The scheme by which the address of a WebSocket is checked. */
const SOCKET_SCHEMES: Readonly<Record<string, string>> = { 'wss:': 'https:', 'ws:': 'http:' };

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_REQUEST_BYTES = 256 * 1024;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Calls URLs of users, guarded against SSRF: only http and https, to public addresses and those that a setting allows ({@link
 * AddressGuard}). The name is resolved once, and the connection goes to the checked address, so that no later answer of a name
 * server leads elsewhere. It follows no redirect, uses no proxy and retries nothing. Each call has its own connection: a kept one
 * could break when it is unknown whether the request was read. Any port may be called.
 */
export class OutgoingCaller {
  readonly #guard: AddressGuard;
  readonly #timeoutMs: number;
  readonly #maxAnswerBytes: number;
  readonly #resolve: Resolve;

  constructor({
    allowedRanges,
    maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    resolve,
  }: OutgoingCallerOptions = {}) {
    this.#guard = new AddressGuard(allowedRanges);
    this.#timeoutMs = timeoutMs;
    this.#maxAnswerBytes = maxAnswerBytes;
    this.#resolve = sharedLookUps(resolve ?? ((host) => lookup(host, { all: true })));
  }

  /** Resolves within the time limit and never rejects: every failure is an outcome. */
  async call(request: OutgoingRequest): Promise<OutgoingOutcome> {
    if (Buffer.byteLength(request.body ?? '') > MAX_REQUEST_BYTES)
      return { kind: 'refused', reason: 'the body is too large' };
    const deadline = AbortSignal.any([
      AbortSignal.timeout(this.#timeoutMs),
      ...(request.signal ? [request.signal] : []),
    ]);
    const target = await this.#target(request.url);
    return 'kind' in target ? target : this.#send(request, target, deadline);
  }

  /**
   * Opens a WebSocket under the same guard, over `wss:` or `ws:`. Resolves within twice the time limit and never rejects. The connection
   * lasts until one side ends it, or the other side is gone.
   */
  async openSocket(request: SocketRequest): Promise<OutgoingSocket | UnopenedSocket> {
    const url = URL.parse(request.url);
    const scheme = url && SOCKET_SCHEMES[url.protocol];
    if (!scheme) return { kind: 'refused', reason: 'the URL is neither ws nor wss' };
    // A WebSocket has no fragment.
    url.hash = '';
    const target = await this.#target(url.href.replace(/^[^:]*:/, scheme));
    if ('kind' in target) return target;
    return openSocket({ ...request, url: url.href }, target, { lookup: pinned(target), timeoutMs: this.#timeoutMs });
  }

  /** The target of a URL, or why it may not be called or has none. */
  async #target(url: string): Promise<OutgoingTarget | UnopenedSocket> {
    try {
      const target = await withTimeout(
        outgoingTarget(url, { guard: this.#guard, resolve: this.#resolve }),
        this.#timeoutMs,
        () => {
          throw new DOMException('The name was not resolved in time.', 'TimeoutError');
        },
      );
      return 'refused' in target ? { kind: 'refused', reason: target.refused } : target;
    } catch (error) {
      return { kind: 'unreached', reason: `its name could not be resolved (${codeOf(error)})` };
    }
  }

  async #send(request: OutgoingRequest, target: OutgoingTarget, deadline: AbortSignal): Promise<OutgoingOutcome> {
    const connection = { isMade: false };
    const connect = buildConnector({ lookup: pinned(target), timeout: this.#timeoutMs, allowH2: false });
    const client = new Client(target.url.origin, {
      connect: (options, callback) => {
        connect(options, (...answer) => {
          connection.isMade = answer[0] === null;
          callback(...answer);
        });
      },
    });
    try {
      return await answered(await client.request(dispatched(request, target, deadline)), this.#maxAnswerBytes);
    } catch (error) {
      if (codeOf(error) === 'UND_ERR_INVALID_ARG') return { kind: 'refused', reason: 'the request is not well-formed' };
      const reason = deadline.aborted ? 'it took too long' : codeOf(error);
      return connection.isMade
        ? { kind: 'silent', reason: `it was reached, and gave no answer (${reason})` }
        : { kind: 'unreached', reason: `it could not be reached (${reason})` };
    } finally {
      client.destroy().catch(() => undefined);
    }
  }
}

const dispatched = (
  { method, headers, body }: OutgoingRequest,
  { url }: OutgoingTarget,
  signal: AbortSignal,
): Dispatcher.RequestOptions => ({
  method,
  path: `${url.pathname}${url.search}`,
  headers: { 'user-agent': 'Tocsin', ...headers },
  signal,
  reset: true,
  ...(body !== undefined && { body }),
});

/** The call is `answered` once the head has arrived, even if the body breaks off. */
async function answered(
  { body, headers, statusCode }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<OutgoingAnswer> {
  const waitMs = retryAfterMs(headers['retry-after'], headers['date']);
  const retryAfter = waitMs > 0 && { retryAfterMs: waitMs };
  return { kind: 'answered', status: statusCode, ...retryAfter, ...(await textOf(body, maxBytes)) };
}

type Header = string | string[] | undefined;

/** Seconds, or a date by the clock of the answer (RFC 9110, 10.2.3); 0 or less where nothing is to be waited for. */
function retryAfterMs(retryAfter: Header, date: Header): number {
  const said = oneOf(retryAfter).trim();
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1_000;
  if (!said.endsWith('GMT')) return 0;
  const answeredAt = Date.parse(oneOf(date));
  const waitMs = Date.parse(said) - (Number.isNaN(answeredAt) ? systemClock.now().getTime() : answeredAt);
  return Number.isNaN(waitMs) ? 0 : waitMs;
}

const oneOf = (header: Header): string => (Array.isArray(header) ? header[0] : header) ?? '';

/** A look-up that always returns the checked addresses. */
const pinned =
  ({ addresses }: OutgoingTarget): LookupFunction =>
  (_host, options, callback) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/** The code or name of an error. Its message may contain what was sent. */
function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'Error';
}

/**
 * Shares one look-up among concurrent calls to the same host, because the system's resolver has few threads, and one slow name
 * server would block all of them. Results are not cached.
 */
function sharedLookUps(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  const begun = (host: string): ReturnType<Resolve> => {
    const lookUp = resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, lookUp);
    return lookUp;
  };
  return (host) => underWay.get(host) ?? begun(host);
}

/** The first `maxBytes` of a body as text. `isTruncated`: the body is longer, breaks off or is late. */
async function textOf(
  body: Readable,
  maxBytes: number,
): Promise<{ readonly body: string; readonly isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isTruncated = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) continue;
      isTruncated = true;
      break;
    }
  } catch {
    isTruncated = true;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString(), isTruncated };
}

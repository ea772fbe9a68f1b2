import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { withTimeout } from '@tocsin/clock';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { AddressGuard } from './address-guard.ts';
import { textOf } from './bounded-text.ts';
import { sharedLookUps } from './shared-look-ups.ts';
import { outgoingTarget, type OutgoingTarget, type Resolve } from './outgoing-target.ts';

/** One request to a server that is not ours. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most 256 KiB. */
  readonly body?: string;
}

/**
 * What came of a call. Only of a `silent` one nobody knows whether the other side acted; of one that is `refused` by us or was
 * `unreached` not a byte of the request left. No reason names the URL, whose query may be a secret.
 */
export type OutgoingOutcome =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreached'; readonly reason: string }
  | { readonly kind: 'silent'; readonly reason: string }
  | OutgoingAnswer;

/** What the other side said. */
export interface OutgoingAnswer {
  readonly kind: 'answered';
  readonly status: number;
  /** The first 16 KiB. */
  readonly body: string;
  /** Whether there was more of the body than is here, or would have been. */
  readonly isCut: boolean;
}

export interface OutgoingCallerOptions {
  /** Addresses and ranges beside the public internet: see {@link AddressGuard}. */
  readonly allowedRanges?: readonly string[];
  /** For all of a call, from the look-up of the name to the end of the answer; 10 s of real time unless given. */
  readonly timeoutMs?: number;
  /** The resolver of the machine unless given. */
  readonly resolve?: Resolve;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_REQUEST_BYTES = 256 * 1024;

/**
 * Calls URLs that others wrote down, guarded: http and https alone, to public addresses and those that a setting allows
 * ({@link AddressGuard}). The name is resolved once and the connection goes to what was found and checked, so that no second
 * answer of a name server leads elsewhere. No redirect is followed and no proxy used, nothing is repeated, and each call has a
 * connection of its own: one that was kept could break when nobody knows whether the request was read. Any port may be called.
 */
export class OutgoingCaller {
  readonly #guard: AddressGuard;
  readonly #timeoutMs: number;
  readonly #resolve: Resolve;

  constructor({ allowedRanges, timeoutMs = DEFAULT_TIMEOUT_MS, resolve }: OutgoingCallerOptions = {}) {
    this.#guard = new AddressGuard(allowedRanges);
    this.#timeoutMs = timeoutMs;
    this.#resolve = sharedLookUps(resolve ?? ((host) => lookup(host, { all: true })));
  }

  /** Answers within the limit of time and never rejects: every trouble is an outcome. */
  async call(request: OutgoingRequest): Promise<OutgoingOutcome> {
    if (Buffer.byteLength(request.body ?? '') > MAX_REQUEST_BYTES)
      return { kind: 'refused', reason: 'the body is too large' };
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    try {
      const target = await withTimeout(
        outgoingTarget(request.url, { guard: this.#guard, resolve: this.#resolve }),
        this.#timeoutMs,
        () => {
          throw new DOMException('The name was not resolved in time.', 'TimeoutError');
        },
      );
      if ('refused' in target) return { kind: 'refused', reason: target.refused };
      return await this.#send(request, target, deadline);
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
      return await answered(await client.request(dispatched(request, target, deadline)));
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

/** Once its head is here, an answer is one, whatever becomes of its body. */
async function answered({ statusCode, body }: Dispatcher.ResponseData): Promise<OutgoingAnswer> {
  return { kind: 'answered', status: statusCode, ...(await textOf(body)) };
}

/** A look-up that knows one answer. */
const pinned =
  ({ addresses }: OutgoingTarget): LookupFunction =>
  (_host, options, callback) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/** The short name of an error: its message may hold what was sent. */
function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'Error';
}

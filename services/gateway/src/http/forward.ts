import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Clock } from '@tocsin/clock';
import type { Operation } from '@tocsin/contracts';
import type { HeldBodies } from '@tocsin/http';
import type { Caller, PrincipalSigner } from '@tocsin/key-auth';
import type { RateLimits } from '../application/rate-limits.ts';
import { stamp, type Call } from './call.ts';
import { forwardedHeaders, passedHeaders, type ForwardingSettings } from './forwarded-headers.ts';
import { Patience, type PatienceBounds } from './patience.ts';
import { uploadOf } from './upload.ts';
import type { ForwardingUpstream, Way } from './upstream.ts';

export interface ForwardOptions extends ForwardingSettings {
  readonly signer: PrincipalSigner;
  readonly clock: Clock;
  readonly heldBodies: HeldBodies;
  readonly rates: Pick<RateLimits, 'charge' | 'answered'>;
  /** With a caller in the middle of a file, and with one who is slow to take an answer. */
  readonly patience: PatienceBounds;
}

/** A request that its caller may make. */
export interface AllowedRequest {
  readonly call: Call;
  readonly operation: Operation;
  readonly caller: Caller;
  /** Whose share of each limit the request counts against: that of its key, or of its address where it has none. */
  readonly holder: string;
  /** Without the key. */
  readonly target: string;
}

/** Sends a request on to the service of its operation, and the answer to its caller. */
export async function forward(
  options: ForwardOptions,
  upstream: ForwardingUpstream,
  { call, operation, caller, holder, target }: AllowedRequest,
): Promise<void> {
  const { request, response, requestId } = call;
  const { clock, heldBodies, rates, signer } = options;
  const way = wayOf(operation);
  upstream.check(way, holder);
  // The whole body is read before a service is called, so a slow caller holds no connection to it. The service parses it.
  const patience = new Patience(options.patience);
  const body = await bodyOf(heldBodies, call, operation, { holder, patience });
  if (Buffer.isBuffer(body)) rates.charge(operation, holder, body.length);
  const signed = await signer.sign(caller, operation.owner, clock.now());
  const headers = forwardedHeaders(request, requestId, signed, options);
  headers.push(...passedHeaders(request, operation.passedHeaders));
  if (body instanceof Readable) headers.push(...lengthOf(request));
  const forwarded = { method: operation.method, target, headers, body, way, caller: holder };
  await upstream.forward(forwarded, {
    response,
    patience,
    stamp: () => {
      stamp(call);
    },
    hold: (bytes) => heldBodies.hold(bytes, response, holder),
  });
  rates.answered(operation, holder, response.statusCode);
  rates.charge(operation, holder, Number(response.getHeader('content-length') ?? 0));
}

export function wayOf({ transfer }: Operation): Way {
  return transfer === undefined ? 'short' : 'transfer';
}

async function bodyOf(
  heldBodies: HeldBodies,
  { request, response }: Call,
  { maxBodyBytes: maxBytes, method, transfer }: Operation,
  { holder, patience }: { readonly holder: string; readonly patience: Patience },
): Promise<Buffer | Readable | undefined> {
  if (method === 'GET') return undefined;
  if (transfer === 'upload') return uploadOf(request, patience);
  return heldBodies.collect(request, response, { holder, ...(maxBytes !== undefined && { maxBytes }) });
}

/** Passes an announced length on; a body without one is sent in chunks. */
function lengthOf({ headers }: IncomingMessage): readonly string[] {
  const announced = headers['content-length'];
  return announced === undefined ? [] : ['content-length', announced];
}

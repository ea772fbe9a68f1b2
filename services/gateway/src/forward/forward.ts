import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Clock } from '@tocsin/core';
import { isReadOnly, type Operation } from '@tocsin/api';
import { type BodyBuffer, type Caller, ITEM_COUNT_HEADER, type PrincipalSigner } from '@tocsin/http';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { setResponseTime, type Call } from '../answer/call.ts';
import { forwardedHeaders, isPassedOn, passedHeaders, type ForwardingSettings } from './headers.ts';
import { TransferTimeout, type TransferTimeoutBounds } from './transfer-timeout.ts';
import { uploadOf } from './upload.ts';
import type { ForwardingUpstream, PoolKind } from './upstream.ts';

export interface ForwardOptions extends ForwardingSettings {
  readonly signer: PrincipalSigner;
  readonly clock: Clock;
  readonly bodyBuffer: BodyBuffer;
  readonly rates: Pick<RateLimits, 'charge' | 'chargeItems' | 'countRefusedCallback'>;
  /** For sending the parts of a file, and for taking an answer. */
  readonly transferTimeout: TransferTimeoutBounds;
}

/** A request that was authenticated, admitted and authorized. */
export interface AllowedRequest {
  readonly call: Call;
  readonly operation: Operation;
  readonly caller: Caller;
  /** The integration of the key, or the address of a caller without one: the share of each limit that the request counts against. */
  readonly holder: string;
  /** Without the key. */
  readonly target: string;
  /** Where it was read before, for the key in it. */
  readonly body?: Buffer | undefined;
  /** Called right before the request is sent to the service; what it throws is thrown. */
  readonly check?: (() => void) | undefined;
}

/** Sends a request to the service of its operation, and the answer to the caller. */
export async function forward(
  options: ForwardOptions,
  upstream: ForwardingUpstream,
  { call, check, operation, caller, holder, target, body: bodyRead }: AllowedRequest,
): Promise<void> {
  const { request, response, requestId } = call;
  const { clock, bodyBuffer, rates, signer } = options;
  const poolKind = poolKindOf(operation);
  upstream.check(poolKind, holder);
  // The whole body is read before the service is called, so a slow caller uses no connection to it. The service parses the body.
  const transferTimeout = new TransferTimeout(options.transferTimeout);
  const body = bodyRead ?? (await bodyOf(bodyBuffer, call, operation, { holder, transferTimeout }));
  if (Buffer.isBuffer(body)) rates.charge(operation, holder, body.length);
  const signed = await signer.sign(caller, operation.owner, clock.now());
  const headers = forwardedHeaders(request, requestId, signed, options);
  headers.push(
    ...passedHeaders(
      request,
      operation.passedHeaders?.filter((name) => !isPassedOn(name)),
    ),
  );
  if (body instanceof Readable) headers.push(...lengthOf(request));
  const { method } = operation;
  const forwarded = { method, target, headers, body, poolKind, isRead: isReadOnly(operation), caller: holder };
  await upstream.forward(forwarded, {
    response,
    check,
    transferTimeout,
    setResponseTime: () => {
      setResponseTime(call);
    },
    hold: (bytes) => bodyBuffer.hold(bytes, response, holder),
  });
  rates.countRefusedCallback(operation, holder, response.statusCode);
  rates.charge(operation, holder, Number(response.getHeader('content-length') ?? 0));
  rates.chargeItems(operation, holder, Number(response.getHeader(ITEM_COUNT_HEADER) ?? 1));
}

export function poolKindOf({ transfer }: Operation): PoolKind {
  return transfer === undefined ? 'short' : 'transfer';
}

async function bodyOf(
  bodyBuffer: BodyBuffer,
  { request, response }: Call,
  { maxBodyBytes: maxBytes, method, transfer }: Operation,
  { holder, transferTimeout }: { readonly holder: string; readonly transferTimeout: TransferTimeout },
): Promise<Buffer | Readable | undefined> {
  if (method === 'GET') return undefined;
  if (transfer === 'upload') return uploadOf(request, transferTimeout);
  return bodyBuffer.collect(request, response, { holder, ...(maxBytes !== undefined && { maxBytes }) });
}

/** Passes an announced length on; a body without one is sent in chunks. */
export function lengthOf({ headers }: IncomingMessage): readonly string[] {
  const announced = headers['content-length'];
  return announced === undefined ? [] : ['content-length', announced];
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import express, { type Express } from 'express';
import type { Clock } from '@tocsin/clock';
import type { Operation, ServiceName } from '@tocsin/contracts';
import {
  AppError,
  MalformedError,
  MethodNotAllowedError,
  NotFoundError,
  ThrottledError,
  UnavailableError,
} from '@tocsin/errors';
import {
  addressHolder,
  type BodyBounds,
  errorAnswer,
  HeldBodies,
  noteOperation,
  requestIdAt,
  secondsSince,
  send,
  tooManyUnderWay,
} from '@tocsin/http';
import { authorize, type Caller, type PrincipalSigner } from '@tocsin/key-auth';
import type { Authentication } from './application/authentication.ts';
import { BacklogError } from './application/backlog-limit.ts';
import type { RateLimits } from './application/rate-limits.ts';
import { isHost } from './domain/origin.ts';
import { requestTarget, type RequestTarget } from './domain/request-target.ts';
import { answerFile, type ApiDescription } from './http/api-description.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { EventLoopLimit, type EventLoop } from './http/event-loop-limit.ts';
import { addressOf, forwardedHeaders, passedHeaders, type ForwardingSettings } from './http/forwarded-headers.ts';
import { allowed, meantMethod, methodsAt, requestedOperation } from './http/methods.ts';
import { Patience, type PatienceBounds } from './http/patience.ts';
import { uploadOf } from './http/upload.ts';
import type { Upstream, Way } from './http/upstream.ts';

export interface GatewayOptions extends ForwardingSettings {
  readonly authentication: Authentication;
  readonly rates: RateLimits;
  /** Without one, the operations of a service are not built. */
  readonly upstreams: ReadonlyMap<ServiceName, Pick<Upstream, 'check' | 'forward' | 'isFull'>>;
  readonly signer: PrincipalSigner;
  /** What the installation says of its API; without it, those paths are none. */
  readonly description?: ApiDescription;
  readonly clock: Clock;
  readonly bodies?: BodyBounds;
  /** The longest turn of a busy event loop that takes on new requests, in milliseconds (F3). */
  readonly busyTurnMs?: number;
  /** The event loop that is watched for that: this process's, unless given. */
  readonly loop?: EventLoop;
  /** With a caller in the middle of a file, and with one who is slow to take an answer. */
  readonly patience: PatienceBounds;
  /** Whose pages may ask from a browser: scheme, host and port of each; nobody's by default. */
  readonly corsOrigins?: readonly string[];
  /** The answer of `/healthz`, which needs no key. */
  readonly isReady: () => Promise<boolean>;
  /** Called once with each error that is not a refusal. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** Principal of requests that need no key (signed links, callbacks). Services accept it for those only (K6). */
const OURSELVES: Caller = { service: 'gateway' };

/** One request and its id, the same in all services (E3). */
interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly limits: Limits;
}

/** What all requests of this process share. */
interface Limits {
  readonly eventLoop: EventLoopLimit;
  readonly bodies: HeldBodies;
}

/**
 * The face of the installation, without a port: every documented path is authenticated (K1), held to its rate (F1), checked for
 * its right (K3, K8) and answered by the service that owns it, and every answer carries the headers of E3, whoever made it.
 */
export function createApp(options: GatewayOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const limits: Limits = { eventLoop: new EventLoopLimit(options), bodies: new HeldBodies(options.bodies) };
  if (options.corsOrigins !== undefined) app.use(crossOrigin(options.corsOrigins));
  app.use(async (request, response) => {
    const requestId = requestIdAt(options.clock.now());
    const call: Call = { request, response, requestId, startedAtMs: performance.now(), limits };
    response.setHeader('X-Request-ID', requestId);
    response.setHeader('X-RateLimit-State', 'OK');
    try {
      await answer(options, call);
    } catch (error) {
      refuse(options, call, error);
    }
  });
  return app;
}

function refuse({ onDefect }: GatewayOptions, call: Call, error: unknown): void {
  if (!(error instanceof AppError)) onDefect(error, call.requestId);
  stamp(call);
  send(call.response, errorAnswer(error, envelope(call)));
  if (error instanceof ThrottledError || error instanceof BacklogError) call.limits.eventLoop.refusedByRate();
}

async function answer(options: GatewayOptions, call: Call): Promise<void> {
  const { request } = call;
  const target = requestTarget(request.url ?? '/');
  const method = meantMethod(request.method);
  if (target.path === '/healthz') {
    await answerHealth(options, call, method);
    return;
  }
  // First of all checks: under overload, a refusal has to be much cheaper than an answer (F3).
  if (call.limits.eventLoop.isExceeded()) throw tooManyUnderWay('all-taken');
  checkHost(request);
  if (isAnsweredByFile(options, call, target.path, method)) return;
  if (method === 'OPTIONS') tellMethods(call, methodsAt(target.path));
  else await perform(options, call, { ...target, method });
}

interface Asked extends RequestTarget {
  readonly method: string;
}

async function perform(options: GatewayOptions, call: Call, target: Asked): Promise<void> {
  const { response } = call;
  const operation = requestedOperation(target.method, target.path);
  noteOperation(response, operation.id);
  const upstream = options.upstreams.get(operation.owner);
  if (upstream?.isFull(wayOf(operation)) === true) throw tooManyUnderWay('all-taken');
  const who = await callerOf(options, operation, call, target.apiKey);
  if (operation.id === 'list-request-limits') tell(call, { data: { rateLimits: options.rates.told } });
  else if (upstream === undefined) throw new NotFoundError('No handler found');
  else await forward(options, upstream, { call, operation, ...who, target: target.forwarded });
}

interface Known {
  readonly caller: Caller;
  /** Whose share of each limit the request counts against: that of its key, or of its address where it has none. */
  readonly holder: string;
}

interface Allowed extends Known {
  readonly call: Call;
  readonly operation: Operation;
  /** Without the key. */
  readonly target: string;
}

async function forward(
  options: GatewayOptions,
  upstream: Pick<Upstream, 'check' | 'forward'>,
  { call, operation, caller, holder, target }: Allowed,
): Promise<void> {
  const { request, response, requestId, limits } = call;
  const way = wayOf(operation);
  upstream.check(way, holder);
  // The whole body is read before a service is called, so a slow caller holds no connection to it. The service parses it.
  const patience = new Patience(options.patience);
  const body = await bodyOf(call, operation, { holder, patience });
  const signed = await options.signer.sign(caller, operation.owner, options.clock.now());
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
    hold: (bytes) => limits.bodies.hold(bytes, response, holder),
  });
}

function wayOf({ transfer }: Operation): Way {
  return transfer === undefined ? 'short' : 'transfer';
}

/**
 * The caller whom the token will name, within their rate (F1): the integration of the key, or the gateway itself where a signed
 * link replaces the key (A13), or a provider of messages calls (U7).
 */
async function callerOf(
  options: GatewayOptions,
  operation: Operation,
  { request }: Call,
  apiKeyQuery: string | undefined,
): Promise<Known> {
  const address = addressHolder(addressOf(request, options));
  if (operation.right === 'link' || operation.right === 'callback') {
    options.rates.spend(operation, address);
    return { caller: OURSELVES, holder: address };
  }
  const { authorization } = request.headers;
  const caller = await options.authentication.principalOf({ authorization, apiKeyQuery, address });
  // Before its rights: a key that goes on asking for what it may not do is to meet its limit as well.
  options.rates.spend(operation, caller.integrationId);
  authorize(caller, operation);
  return { caller, holder: caller.integrationId };
}

async function bodyOf(
  { request, response, limits }: Call,
  { maxBodyBytes: maxBytes, method, transfer }: Operation,
  { holder, patience }: { readonly holder: string; readonly patience: Patience },
): Promise<Buffer | Readable | undefined> {
  if (method === 'GET') return undefined;
  if (transfer === 'upload') return uploadOf(request, patience);
  return limits.bodies.collect(request, response, { holder, ...(maxBytes !== undefined && { maxBytes }) });
}

/** Passes an announced length on; a body without one is sent in chunks. */
function lengthOf({ headers }: IncomingMessage): readonly string[] {
  const announced = headers['content-length'];
  return announced === undefined ? [] : ['content-length', announced];
}

function isAnsweredByFile(
  { description, patience }: GatewayOptions,
  call: Call,
  path: string,
  method: string,
): boolean {
  const file = description?.fileAt(path);
  if (file === undefined) return false;
  if (!isRead(call, method)) return true;
  stamp(call);
  answerFile(call.request, call.response, { file, patience: new Patience(patience) });
  return true;
}

async function answerHealth({ isReady }: GatewayOptions, call: Call, method: string): Promise<void> {
  if (!isRead(call, method)) return;
  if (!(await isReady())) throw new UnavailableError('The gateway is not ready.');
  tell(call, { result: 'OK' });
}

/** Whether a path that takes GET alone is to be read now; OPTIONS is answered here. */
function isRead(call: Call, method: string): boolean {
  if (method === 'GET') return true;
  if (method !== 'OPTIONS') throw new MethodNotAllowedError(allowed(['GET']));
  tellMethods(call, allowed(['GET']));
  return false;
}

function tellMethods(call: Call, methods: readonly string[]): void {
  call.response.setHeader('Allow', methods.join(', '));
  tell(call, { data: { methods } });
}

/** An answer that the gateway makes itself. */
function tell(call: Call, body: Readonly<Record<string, unknown>>): void {
  stamp(call);
  send(call.response, { status: 200, headers: {}, body: { ...body, ...envelope(call) } });
}

/** HTTP/1.0 requests may come without the header. */
function checkHost({ headers, httpVersion }: IncomingMessage): void {
  const { host } = headers;
  if (host === undefined ? httpVersion !== '1.0' : !isHost(host))
    throw new MalformedError('The header Host is not a host.');
}

function envelope({ requestId, startedAtMs }: Call): { took: number; requestId: string } {
  return { took: secondsSince(startedAtMs), requestId };
}

function stamp({ response, startedAtMs }: Call): void {
  if (!response.headersSent) response.setHeader('X-Response-Time', String(secondsSince(startedAtMs)));
}

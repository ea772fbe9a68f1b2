import type { IncomingMessage } from 'node:http';
import express, { type Express } from 'express';
import type { Operation, ServiceName } from '@tocsin/contracts';
import { AppError, MalformedError, NotFoundError, UnavailableError } from '@tocsin/errors';
import { addressHolder, type BodyBounds, HeldBodies, noteOperation, requestIdAt, tooManyUnderWay } from '@tocsin/http';
import { authorize, type Caller } from '@tocsin/key-auth';
import type { Authentication } from './application/authentication.ts';
import type { RateLimits } from './application/rate-limits.ts';
import { isHost } from './domain/origin.ts';
import { requestTarget, type RequestTarget } from './domain/request-target.ts';
import { answerFile, type ApiDescription } from './http/api-description.ts';
import { isRead, refuse, stamp, answerOk, answerMethods, type Call } from './http/call.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { EventLoopLimit, type EventLoop } from './http/event-loop-limit.ts';
import { forward, wayOf, type AllowedRequest, type ForwardOptions } from './http/forward.ts';
import { addressOf } from './http/forwarded-headers.ts';
import { meantMethod, methodsAt, requestedOperation } from './http/methods.ts';
import { Patience } from './http/patience.ts';
import type { ForwardingUpstream } from './http/upstream.ts';

export interface GatewayOptions extends Omit<ForwardOptions, 'heldBodies'> {
  readonly authentication: Authentication;
  readonly rates: RateLimits;
  /** Without one, the operations of a service are not built. */
  readonly upstreams: ReadonlyMap<ServiceName, ForwardingUpstream>;
  /** Without it, there is no API description and no page that shows it. */
  readonly description?: ApiDescription;
  readonly bodies?: BodyBounds;
  /** The longest turn of a busy event loop that takes on new requests, in milliseconds (F3). */
  readonly busyTurnMs?: number;
  /** The event loop that is watched for that: this process's, unless given. */
  readonly loop?: EventLoop;
  /** Whose pages may ask from a browser: scheme, host and port of each; nobody's by default. */
  readonly corsOrigins?: readonly string[];
  /** The answer of `/healthz`, which needs no key. */
  readonly isReady: () => Promise<boolean>;
  /** Called once with each error that is not a refusal. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** Principal of requests that need no key (signed links, callbacks). Services accept it for those only (K6). */
const OURSELVES: Caller = { service: 'gateway' };

/** What all requests of this process share. */
interface Gateway extends GatewayOptions {
  readonly eventLoop: EventLoopLimit;
  readonly heldBodies: HeldBodies;
}

/**
 * The face of the installation, without a port: every documented path is authenticated (K1), held to its rate (F1), checked for
 * its right (K3, K8) and answered by the service that owns it, and every answer carries the headers of E3, whoever made it.
 */
export function createApp(options: GatewayOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const gateway = { ...options, eventLoop: new EventLoopLimit(options), heldBodies: new HeldBodies(options.bodies) };
  if (options.corsOrigins !== undefined) app.use(crossOrigin(options.corsOrigins));
  app.use(async (request, response) => {
    const requestId = requestIdAt(options.clock.now());
    const call: Call = { request, response, requestId, startedAtMs: performance.now(), isCounted: false };
    response.setHeader('X-Request-ID', requestId);
    response.setHeader('X-RateLimit-State', 'OK');
    try {
      await answer(gateway, call);
    } catch (error) {
      if (!(error instanceof AppError)) options.onDefect(error, requestId);
      // Without a known caller it was not counted yet.
      if (!call.isCounted) gateway.eventLoop.count(addressHolder(addressOf(request, gateway)));
      refuse(call, error);
    }
  });
  return app;
}

async function answer(gateway: Gateway, call: Call): Promise<void> {
  const { request } = call;
  const target = requestTarget(request.url ?? '/');
  const method = meantMethod(request.method);
  if (target.path === '/healthz') {
    await answerHealth(gateway, call, method);
    return;
  }
  gateway.eventLoop.requestBegan();
  checkHost(request);
  if (isAnsweredByFile(gateway, call, target.path, method)) return;
  if (method === 'OPTIONS') {
    checkTurn(gateway, call, addressHolder(addressOf(request, gateway)));
    answerMethods(call, methodsAt(target.path));
  } else await perform(gateway, call, { ...target, method });
}

interface Asked extends RequestTarget {
  readonly method: string;
}

async function perform(gateway: Gateway, call: Call, target: Asked): Promise<void> {
  const { response } = call;
  const operation = requestedOperation(target.method, target.path);
  noteOperation(response, operation.id);
  const upstream = gateway.upstreams.get(operation.owner);
  if (upstream?.isFull(wayOf(operation)) === true) throw tooManyUnderWay('all-taken');
  const who = await callerOf(gateway, operation, call, target.apiKey);
  if (operation.id === 'list-request-limits') answerOk(call, { data: { rateLimits: gateway.rates.told } });
  else if (upstream === undefined) throw new NotFoundError('No handler found');
  else await forward(gateway, upstream, { call, operation, ...who, target: target.forwarded });
}

/**
 * The caller whom the token will name, within their rate (F1): the integration of the key, or the gateway itself where a signed
 * link replaces the key (A13), or a provider of messages calls (U7).
 */
async function callerOf(
  gateway: Gateway,
  operation: Operation,
  call: Call,
  apiKeyQuery: string | undefined,
): Promise<Pick<AllowedRequest, 'caller' | 'holder'>> {
  const { request } = call;
  const address = addressHolder(addressOf(request, gateway));
  if (operation.right === 'link' || operation.right === 'callback') {
    checkTurn(gateway, call, address);
    gateway.rates.spend(operation, address);
    return { caller: OURSELVES, holder: address };
  }
  const { authorization } = request.headers;
  const caller = await gateway.authentication.principalOf({ authorization, apiKeyQuery, address });
  checkTurn(gateway, call, caller.integrationId);
  // Before its rights: a key that goes on asking for what it may not do is to meet its limit as well.
  gateway.rates.spend(operation, caller.integrationId);
  authorize(caller, operation);
  return { caller, holder: caller.integrationId };
}

function isAnsweredByFile(gateway: Gateway, call: Call, path: string, method: string): boolean {
  const { description, patience, rates } = gateway;
  const file = description?.fileAt(path);
  if (file === undefined) return false;
  if (!isRead(call, method)) return true;
  const holder = addressHolder(addressOf(call.request, gateway));
  checkTurn(gateway, call, holder);
  rates.spendOnFile(holder);
  stamp(call);
  rates.chargeFile(holder, answerFile(call.request, call.response, { file, patience: new Patience(patience) }));
  return true;
}

/**
 * Under overload, a refusal has to be much cheaper than an answer (F3): this is the first check once the caller is known.
 *
 * @throws UnavailableError where the turn of the event loop has lasted too long for another request of `holder`.
 */
function checkTurn({ eventLoop }: Gateway, call: Call, holder: string): void {
  call.isCounted = true;
  if (eventLoop.isExceededFor(holder)) throw tooManyUnderWay('all-taken');
}

async function answerHealth({ isReady }: GatewayOptions, call: Call, method: string): Promise<void> {
  if (!isRead(call, method)) return;
  if (!(await isReady())) throw new UnavailableError('The gateway is not ready.');
  answerOk(call, { result: 'OK' });
}

/** HTTP/1.0 requests may come without the header. */
function checkHost({ headers, httpVersion }: IncomingMessage): void {
  const { host } = headers;
  if (host === undefined ? httpVersion !== '1.0' : !isHost(host))
    throw new MalformedError('The header Host is not a host.');
}

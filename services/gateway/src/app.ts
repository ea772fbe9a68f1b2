import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { Operation } from '@tocsin/api';
import type { ServiceName } from '@tocsin/events';
import { AppError, NotFoundError, type TrafficCounter, UnavailableError } from '@tocsin/core';
import {
  addressHolder,
  type BodyBounds,
  BodyBuffer,
  noteOperation,
  requestIdAt,
  tooManyUnderWay,
  authorize,
  cookieValue,
  signInNeedsHttps,
  type Caller,
  limitHolder,
  type Principal,
} from '@tocsin/http';
import { VERSION } from '@tocsin/service';
import { EventLoopLimit, type EventLoop } from './admission/event-loop-limit.ts';
import type { ApiDescription } from './answer/api-description.ts';
import { type Call, isRead, refuse, sendMethods, sendOk, setResponseTime } from './answer/call.ts';
import { type ConsoleFiles, isConsolePath } from './answer/console-files.ts';
import { crossOrigin } from './answer/cross-origin.ts';
import { sendFile, type StaticFile } from './answer/static-file.ts';
import type { Authentication } from './authentication/authentication.ts';
import type { ChangeStreams } from './changes/streams.ts';
import { checkOrigin, cookiesOf } from './authentication/console-guard.ts';
import { isKeyInBody, keyOfBody, otherKeyOf, TOOL_SCHEMES } from './authentication/keys-of-tools.ts';
import type { Sessions } from './authentication/sessions.ts';
import { forward, type ForwardOptions, poolKindOf } from './forward/forward.ts';
import { TransferTimeout } from './forward/transfer-timeout.ts';
import type { ForwardingUpstream } from './forward/upstream.ts';
import type { ByOpsgenie, Destination, OpsgenieForwarding } from './opsgenie/forwarding.ts';
import type { RateLimits } from './rate-limit/rate-limits.ts';
import { addressOf, checkHost } from './request/origin.ts';
import { effectiveMethod, methodsAt, requestedOperation } from './request/route-table.ts';
import { requestTarget, type RequestTarget } from './request/target.ts';
import { countTraffic } from './traffic/traffic.ts';

export interface GatewayOptions extends Omit<ForwardOptions, 'bodyBuffer'> {
  readonly authentication: Authentication;
  /** The sessions of people. */
  readonly sessions: Pick<Sessions, 'principalOf' | 'watch'>;
  readonly changes: Pick<ChangeStreams, 'open'>;
  readonly rates: RateLimits;
  /** The requests of integrations. */
  readonly traffic: Pick<TrafficCounter, 'count'>;
  /** The operations of a service that is missing here answer 404. */
  readonly upstreams: ReadonlyMap<ServiceName, ForwardingUpstream>;
  /** Operations that need another setting answer 404. None by default. */
  readonly settings?: ReadonlySet<NonNullable<Operation['setting']>>;
  /** Without it, no request is forwarded to Opsgenie. */
  readonly opsgenie?: OpsgenieForwarding;
  /** Without it, there is no API description and no page that shows it. */
  readonly description?: ApiDescription;
  /** Without it, there is nothing at the paths of the console. */
  readonly console?: ConsoleFiles;
  readonly bodies?: BodyBounds;
  /** The longest turn of a busy event loop in which new requests are accepted, in milliseconds (F3). */
  readonly busyTurnMs?: number;
  /** The event loop that this limits; by default that of this process. */
  readonly loop?: EventLoop;
  /** Origins (scheme, host and port) whose pages may call from a browser. None by default. */
  readonly corsOrigins?: readonly string[];
  /** The answer of `/healthz`, which needs no key. */
  readonly isReady: () => Promise<boolean>;
  /** Called once with each error that is not a refusal. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** The principal of requests without a key: signed links (A13) and calls of providers (U18). Services accept it for those only (K6). */
const GATEWAY: Caller = { service: 'gateway' };

/** The common parts of all requests of this process. */
interface Gateway extends GatewayOptions {
  readonly eventLoop: EventLoopLimit;
  readonly bodyBuffer: BodyBuffer;
}

/**
 * The application without a port. A request passes, in this order: its path, the route table, its key, admission, its rate limit
 * and its right. Then the service of its operation answers it. Each answer has the headers of E3.
 */
export function createApp(options: GatewayOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const gateway = { ...options, eventLoop: new EventLoopLimit(options), bodyBuffer: new BodyBuffer(options.bodies) };
  if (options.corsOrigins !== undefined) app.use(crossOrigin(options.corsOrigins));
  app.use(async (request, response) => {
    const now = options.clock.now();
    const requestId = requestIdAt(now);
    const call: Call = { request, response, requestId, startedAtMs: performance.now(), isCounted: false };
    // The console measures with it (use-the-console.md).
    response.setHeader('Date', now.toUTCString());
    response.setHeader('X-Request-ID', requestId);
    response.setHeader('X-RateLimit-State', 'OK');
    try {
      await answer(gateway, call);
    } catch (error) {
      if (!(error instanceof AppError)) options.onDefect(error, requestId);
      // It was refused before its key was known.
      if (!call.isCounted) gateway.eventLoop.count(addressHolder(addressOf(request, gateway)));
      refuse(call, error);
    }
  });
  return app;
}

async function answer(gateway: Gateway, call: Call): Promise<void> {
  const { request } = call;
  const target = requestTarget(request.url ?? '/');
  const method = effectiveMethod(request.method);
  if (target.path === '/healthz') {
    await answerHealth(gateway, call, method);
    return;
  }
  gateway.eventLoop.requestBegan();
  checkHost(request);
  if (answeredFromFiles(gateway, call, method, target.path)) return;
  if (method === 'OPTIONS') {
    admit(gateway, call, addressHolder(addressOf(request, gateway)));
    sendMethods(call, methodsAt(target.path));
  } else await answerOperation(gateway, call, requestedOperation(request.method, target.path), target);
}

/** Answers paths of files and pages. Returns whether the path is one of them. */
function answeredFromFiles(gateway: Gateway, call: Call, method: string, path: string): boolean {
  const { console, description } = gateway;
  const file = description?.fileAt(path);
  if (file !== undefined) answerFile(gateway, call, method, () => file);
  else if (console !== undefined && isConsolePath(path))
    answerConsole(gateway, call, method, () => console.fileAt(path));
  else if (console?.isBuilt === true && path === '/' && method === 'GET') leadToConsole(gateway, call);
  else return false;
  return true;
}

async function answerOperation(
  gateway: Gateway,
  call: Call,
  operation: Operation,
  target: RequestTarget,
): Promise<void> {
  noteOperation(call.response, operation);
  refuseWithoutSetting(gateway, operation);
  const upstream = gateway.upstreams.get(operation.owner);
  refuseWhenFull(gateway, operation);
  const address = addressHolder(addressOf(call.request, gateway));
  const { otherKey, body } = await keyOf(gateway, call, operation, { target, address });
  const destination = await destinationOf(gateway, call, operation, { otherKey, address });
  if (destination?.side === 'opsgenie') {
    await forwardToOpsgenie(gateway, call, operation, { ...destination, address, body });
    return;
  }
  const principal = await principalOf(gateway, call, operation, { otherKey, address });
  const holder = principal === undefined ? address : limitHolder(principal);
  if (principal !== undefined) countTraffic(gateway, principal, operation, call.response);
  admit(gateway, call, holder);
  // Before the right: requests without the right count as well.
  gateway.rates.spend(operation, holder);
  if (principal !== undefined) authorize(principal, operation);
  if (operation.owner === 'gateway') await answerItself(gateway, call, operation, holder);
  else if (upstream === undefined) throw new NotFoundError('No handler found');
  else {
    const { forwarded } = target;
    await forward(gateway, upstream, {
      call,
      operation,
      caller: principal ?? GATEWAY,
      holder,
      target: forwarded,
      body,
      check: destination?.check,
    });
  }
}

/** @throws UnavailableError where the service would refuse any caller. Requests that are forwarded to Opsgenie use no service. */
function refuseWhenFull({ opsgenie, upstreams }: Gateway, operation: Operation): void {
  const isFull = upstreams.get(operation.owner)?.isFull(poolKindOf(operation)) === true;
  if (isFull && opsgenie === undefined) throw tooManyUnderWay('full');
}

/** Which side answers; undefined where no request is forwarded. */
async function destinationOf(
  { opsgenie }: Gateway,
  { request }: Call,
  operation: Operation,
  sender: { readonly otherKey: string | undefined; readonly address: string },
): Promise<Destination | undefined> {
  return opsgenie?.destinationOf(operation, { authorization: request.headers.authorization, ...sender });
}

/** Answers the request of a tool as Opsgenie does. */
async function forwardToOpsgenie(
  gateway: Gateway,
  call: Call,
  operation: Operation,
  of: ByOpsgenie & { readonly address: string; readonly body: Buffer | undefined },
): Promise<void> {
  admit(gateway, call, of.holder);
  gateway.rates.spend(operation, of.holder);
  await gateway.opsgenie?.forward(gateway, { call, operation, ...of });
}

/** @throws NotFoundError for an operation that this installation does not have. */
function refuseWithoutSetting({ settings }: Gateway, { setting }: Operation): void {
  if (setting !== undefined && settings?.has(setting) !== true) throw new NotFoundError('No handler found');
}

/**
 * The key that the request has outside of `Authorization`; and its body, where that had to be read for it. Then nothing is known yet of
 * the caller but the address.
 */
async function keyOf(
  gateway: Gateway,
  call: Call,
  operation: Operation,
  { target, address }: { readonly target: RequestTarget; readonly address: string },
): Promise<{ readonly otherKey: string | undefined; readonly body: Buffer | undefined }> {
  const { request, response } = call;
  const otherKey = otherKeyOf(request, operation, target);
  if (!isKeyInBody(request, operation, otherKey)) return { otherKey, body: undefined };
  admit(gateway, call, address);
  gateway.rates.spendOnKeyInBody(address);
  const { maxBodyBytes: maxBytes = 0 } = operation;
  const body = await gateway.bodyBuffer.collect(request, response, { holder: address, maxBytes });
  if (body === undefined) return { otherKey, body };
  return { otherKey: await keyOfBody(body, operation, request.headers['content-type']), body };
}

/** Answers the operations of which this service is the owner. */
async function answerItself(gateway: Gateway, call: Call, operation: Operation, holder: string): Promise<void> {
  switch (operation.id) {
    case 'list-request-limits':
      sendOk(call, { data: { rateLimits: gateway.rates.limits } });
      return;
    case 'follow-changes':
      // Its right lets people alone pass, who have a token.
      await gateway.changes.open(call, {
        holder,
        isSignedIn: gateway.sessions.watch(sessionTokenOf(gateway, call.request) ?? ''),
      });
      return;
    default:
      throw new NotFoundError('No handler found');
  }
}

/** The token of the session of a request without a key. */
function sessionTokenOf({ publicUrl }: Gateway, request: IncomingMessage): string | undefined {
  const cookies = cookiesOf(request, publicUrl);
  return cookies === undefined ? undefined : cookieValue(request.headers.cookie, cookies.session);
}

/**
 * The principal of the key or, where the request has none, of the session. Undefined for operations that need neither: a signed link, a
 * signature or a code takes its place (A13, U18, K20).
 */
async function principalOf(
  gateway: Gateway,
  { request, response }: Call,
  { keyPlaces, right }: Operation,
  sender: { readonly otherKey: string | undefined; readonly address: string },
): Promise<Principal | undefined> {
  if (right === 'link' || right === 'callback') return undefined;
  const { authorization } = request.headers;
  if (right === 'sign-in') {
    if (cookiesOf(request, gateway.publicUrl) === undefined) throw signInNeedsHttps();
    checkOrigin(request);
    keepFromCaches(response);
    return undefined;
  }
  const hasKey = authorization !== undefined || sender.otherKey !== undefined;
  const token = hasKey ? undefined : sessionTokenOf(gateway, request);
  const moreSchemes = keyPlaces === undefined ? [] : TOOL_SCHEMES;
  if (token === undefined) return gateway.authentication.principalOf({ authorization, moreSchemes, ...sender });
  checkOrigin(request);
  keepFromCaches(response);
  return gateway.sessions.principalOf(token, sender.address);
}

/** A cache on the way knows that answers to `Authorization` are of one caller; of a cookie it does not. */
function keepFromCaches(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-store');
}

/**
 * Counts the request of `holder`. Under overload a refusal has to be much cheaper than an answer (F3), so this comes as soon as the
 * holder is known.
 *
 * @throws UnavailableError where the turn of the event loop has lasted too long for another request of `holder`.
 */
function admit({ eventLoop }: Gateway, call: Call, holder: string): void {
  call.isCounted = true;
  if (eventLoop.isExceededFor(holder)) throw tooManyUnderWay('full');
}

/** The API description, its page and the console need no key. Each address has a rate limit for them. */
function answerFile(gateway: Gateway, call: Call, method: string, find: () => StaticFile): void {
  if (!isRead(call, method)) return;
  const holder = admitToFile(gateway, call);
  const file = find();
  setResponseTime(call);
  gateway.rates.chargeFile(holder, sendFile(call, file, new TransferTimeout(gateway.transferTimeout)));
}

function admitToFile(gateway: Gateway, call: Call): string {
  const holder = addressHolder(addressOf(call.request, gateway));
  admit(gateway, call, holder);
  gateway.rates.spendOnFile(holder);
  return holder;
}

/** No cache may keep that a file is missing: another gateway may have it during an upgrade. */
function answerConsole(gateway: Gateway, call: Call, method: string, find: () => StaticFile): void {
  noteOperation(call.response, { id: 'console' });
  keepFromCaches(call.response);
  answerFile(gateway, call, method, find);
}

/** A person who opens the bare address wants the console. */
function leadToConsole(gateway: Gateway, call: Call): void {
  noteOperation(call.response, { id: 'console' });
  admitToFile(gateway, call);
  keepFromCaches(call.response);
  setResponseTime(call);
  call.response.writeHead(302, { Location: '/console/' }).end();
}

async function answerHealth({ isReady }: GatewayOptions, call: Call, method: string): Promise<void> {
  if (!isRead(call, method)) return;
  if (!(await isReady())) throw new UnavailableError('The gateway is not ready.');
  sendOk(call, { result: 'OK', version: VERSION });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { validate as isUuid } from 'uuid';
import type { z } from 'zod';
import {
  type Clock,
  AppError,
  ForbiddenError,
  MalformedError,
  MethodNotAllowedError,
  NotFoundError,
} from '@tocsin/core';
import { matchOperation, type Method, type Operation } from '@tocsin/api';
import {
  authorizeCall,
  type Caller,
  isServiceCaller,
  type KeyPrincipal,
  limitHolder,
  type Principal,
  type PrincipalVerifier,
  PRINCIPAL_HEADER,
} from './authentication/index.ts';
import { tooManyUnderWay } from './admission.ts';
import { addressHolder, plainAddress } from './address-holder.ts';
import { errorAnswer, secondsSince, send, sendInParts, sendWritten } from './envelope.ts';
import { sendFile } from './file-reply.ts';
import { noteOperation, refusalFormOf } from './handled-operation.ts';
import { FORWARDED_FOR_HEADER, PUBLIC_URL_HEADER, REQUEST_ID_HEADER } from './headers.ts';
import type { InternalRoute } from './internal-route.ts';
import { type BodyBounds, BodyBuffer, MAX_BODY_BYTES } from './body-buffer.ts';
import { readJsonBody } from './json-body.ts';
import { INTERNAL_BOUNDS, type JsonBounds, REQUEST_BOUNDS } from './json-bounds.ts';
import { rawBody, rawBodyOf } from './raw-body.ts';
import { readWholeBody, wholeBody } from './whole-body.ts';
import { requestIdAt } from './request-id.ts';
import type { FileReply, Reply, Route, WrittenReply } from './route.ts';
import { validated } from './validation.ts';

/** The parts of {@link createServiceApp}. */
export interface ServiceAppOptions {
  /** At most one for each operation. */
  readonly routes: readonly Route[];
  readonly internalRoutes?: readonly InternalRoute[];
  readonly verifier: PrincipalVerifier;
  readonly clock: Clock;
  readonly bodies?: BodyBounds;
  /** Called with each error that is not an `AppError`, to log it. The caller only gets the request id. */
  readonly onDefect: (error: unknown, requestId: string) => void;
  /** Turns a failure of the service's own database or broker into an `AppError` (503, E2). Returns other errors as they are. */
  readonly meaningOf: (error: unknown) => unknown;
}

/** One request and its id, the same in all services (E3). */
interface Call {
  readonly request: Request;
  readonly response: ServerResponse;
  readonly requestId: string;
}

type AnyReply = Reply | FileReply | WrittenReply;
type Handle = (call: Call) => Promise<AnyReply>;

/** Lists with commas in between: one that comes in several parts is their union. Of another name that is repeated the first counts. */
const LISTS_IN_QUERIES: ReadonlySet<string> = new Set(['tags', 'keys']);

/** Bodies of these methods are ignored (E5). */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The Express app of a service. It answers only callers with a signed principal (K6) and the needed right (K3, K8), in the
 * envelope of E1 and with the statuses of E2. An operation without a route is 404 `No handler found`, after the check of rights.
 */
export function createServiceApp(options: ServiceAppOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const bodies = new BodyBuffer(options.bodies);
  const answerCaller = answering(options, publicHandle(options, bodies));
  // First, because nearly every request is for an operation and not for an internal route.
  app.use(async (request, response, next) => {
    if (isInternal(request)) next();
    else await answerCaller(request, response, next);
  });
  for (const route of options.internalRoutes ?? []) {
    app[verbOf(route.method)](route.path, answering(options, internalHandle(route, options, bodies)));
  }
  app.use(answerCaller);
  app.use(refusePath(options));
  return app;
}

function isInternal({ url }: Request): boolean {
  return url.startsWith('/internal/');
}

/** Express fails before it calls an internal route where a parameter of the path can not be decoded. */
function refusePath(options: ServiceAppOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const refusal = new MalformedError('Path can not be decoded.', { cause: error });
    return answering(options, () => Promise.reject(refusal))(request, response, next);
  };
}

function publicHandle({ routes, verifier, clock }: ServiceAppOptions, bodies: BodyBuffer): Handle {
  const byOperation = indexed(routes);
  return async ({ request, response, requestId }) => {
    const { operation, params } = requested(request);
    noteOperation(response, operation);
    const principal = principalFor({ operation, params }, await callerOf(request, verifier, clock));
    const route = byOperation.get(operation.id);
    if (route === undefined) throw new NotFoundError('No handler found');
    const holder = limitHolder(principal) || addressHolder(callerAddressOf(request));
    const input = {
      params,
      query: queryOf(request, route.query),
      body: await bodyOf({ request, response }, route, {
        bodies,
        bounds: REQUEST_BOUNDS,
        maxBytes: operation.maxBodyBytes ?? 0,
        holder,
      }),
      headers: passedHeaders(request, operation),
      principal,
      requestId,
      callerAddress: callerAddressOf(request),
      publicUrl: publicUrlOf(request),
    };
    const reply = await (route.pool?.run(holder, () => route.handle(input)) ?? route.handle(input));
    return operation.domain === 'integration' ? withCode(reply) : reply;
  };
}

function passedHeaders(request: IncomingMessage, operation: Operation): Readonly<Record<string, string>> {
  const named = (operation.passedHeaders ?? []).map((name) => [name, single(request, name)] as const);
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** The rights of operations for which something else takes the place of a key. */
const NEEDS_NO_KEY: ReadonlySet<Operation['right']> = new Set(['link', 'callback', 'sign-in']);

/** Principal of requests that need no key. It has no right (A13). */
const KEYLESS: KeyPrincipal = {
  kind: 'key',
  integrationId: '',
  integrationName: '',
  integrationType: '',
  teamId: '',
  mayRead: false,
  mayWrite: false,
  mayConfigure: false,
};

function principalFor({ operation, params }: RequestedOperation, caller: Caller): Principal {
  if (NEEDS_NO_KEY.has(operation.right)) return KEYLESS;
  if (isServiceCaller(caller)) throw new ForbiddenError('A service has no key of its own.');
  authorizeCall(caller, operation, params);
  // The session itself says whose it is.
  if (operation.right === 'session') return KEYLESS;
  return caller;
}

function internalHandle(route: InternalRoute, { verifier, clock }: ServiceAppOptions, bodies: BodyBuffer): Handle {
  return async ({ request, response, requestId }) => {
    noteOperation(response, { id: 'internal' });
    const caller = await callerOf(request, verifier, clock);
    if (!isServiceCaller(caller)) throw new ForbiddenError('Only a service may ask for this.');
    return route.handle({
      params: request.params as Record<string, string>,
      query: queryOf(request, route.query),
      body: await bodyOf({ request, response }, route, {
        bodies,
        bounds: INTERNAL_BOUNDS,
        maxBytes: MAX_BODY_BYTES,
        holder: caller.service,
      }),
      caller: caller.service,
      requestId,
    });
  };
}

/** Answers with what `handle` returns, or with the error that it throws. */
function answering({ clock, onDefect, meaningOf }: ServiceAppOptions, handle: Handle): RequestHandler {
  return async (request, response) => {
    const startedAtMs = performance.now();
    const given = request.headers[REQUEST_ID_HEADER];
    const requestId = isUuid(given) ? (given as string) : requestIdAt(clock.now());
    response.setHeader('X-Request-ID', requestId);
    try {
      const reply = await handle({ request, response, requestId });
      if ('file' in reply) {
        await sendFile(response, reply, single(request, 'if-none-match'));
        return;
      }
      if ('written' in reply) {
        sendWritten(response, reply);
        return;
      }
      const { status = 200, headers = {}, body } = reply;
      await sendInParts(response, { status, headers, body: { ...body, took: secondsSince(startedAtMs), requestId } });
    } catch (thrown) {
      const error = meaningOf(thrown);
      if (!(error instanceof AppError)) onDefect(error, requestId);
      const envelope = { took: secondsSince(startedAtMs), requestId };
      send(response, errorAnswer(error, envelope, refusalFormOf(response)));
    }
  };
}

interface RequestedOperation {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

function requested(request: IncomingMessage): RequestedOperation {
  const match = matchOperation(request.method ?? '', pathOf(request));
  if (match.outcome === 'not-found') throw new NotFoundError('No handler found');
  if (match.outcome === 'method-not-allowed') throw new MethodNotAllowedError(match.allowed);
  return match;
}

function callerOf(request: IncomingMessage, verifier: PrincipalVerifier, clock: Clock): Promise<Caller> {
  return verifier.verify(single(request, PRINCIPAL_HEADER), clock.now());
}

function queryOf(request: IncomingMessage, schema: z.ZodType | undefined): unknown {
  if (schema === undefined) return {};
  const { url = '' } = request;
  const start = url.indexOf('?');
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start))) {
    const before = query.get(name);
    if (before === undefined) query.set(name, value);
    else if (LISTS_IN_QUERIES.has(name)) query.set(name, `${before},${value}`);
  }
  return validated(schema, Object.fromEntries(query), 'query');
}

interface BodyLimits {
  readonly bodies: BodyBuffer;
  readonly bounds: JsonBounds;
  readonly maxBytes: number;
  readonly holder: string;
}

async function bodyOf(
  { request, response }: Pick<Call, 'request' | 'response'>,
  { body: schema, writtenNumbers }: Pick<Route, 'body' | 'writtenNumbers'>,
  { bodies, bounds, holder, maxBytes }: BodyLimits,
): Promise<unknown> {
  if (schema === undefined) return undefined;
  if (schema === rawBody) return rawBodyOf(request);
  const collected = { collect: () => bodies.collect(request, response, { holder, maxBytes }), maxBytes };
  if (schema === wholeBody) {
    const whole = await readWholeBody(request, collected);
    // What was compressed takes more memory than was counted.
    if (!bodies.hold(whole.bytes.length, response, holder)) throw tooManyUnderWay('over-its-share');
    return whole;
  }
  const body = BODILESS.has(request.method)
    ? undefined
    : await readJsonBody(request, { ...collected, bounds, writtenNumbers });
  return validated(schema, body ?? {}, 'body');
}

function callerAddressOf(request: IncomingMessage): string {
  const [first = ''] = (single(request, FORWARDED_FOR_HEADER) ?? '').split(',', 1);
  return first.trim() || plainAddress(request.socket.remoteAddress);
}

function publicUrlOf(request: IncomingMessage): string {
  return single(request, PUBLIC_URL_HEADER) ?? `http://${request.headers.host ?? 'localhost'}`;
}

/** Answers of the integration operations repeat the status in the body (E1). */
function withCode(reply: AnyReply): AnyReply {
  return !('body' in reply) ? reply : { ...reply, body: { code: reply.status ?? 200, ...reply.body } };
}

function indexed(routes: readonly Route[]): ReadonlyMap<string, Route> {
  const byOperation = new Map<string, Route>();
  for (const route of routes) {
    if (byOperation.has(route.operation)) throw new RangeError(`Two routes answer ${route.operation}.`);
    byOperation.set(route.operation, route);
  }
  return byOperation;
}

function verbOf(method: Method): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return method.toLowerCase() as Lowercase<Method>;
}

function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path;
}

/** Node joins repeated headers that it does not know into one text. */
function single({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name] as string | undefined;
}

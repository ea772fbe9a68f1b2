import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { validate as isUuid } from 'uuid';
import type { z } from 'zod';
import type { Clock } from '@tocsin/clock';
import { matchOperation, type Method, type Operation } from '@tocsin/contracts';
import { AppError, ForbiddenError, MethodNotAllowedError, NotFoundError } from '@tocsin/errors';
import {
  authorize,
  type Caller,
  isServiceCaller,
  type Principal,
  type PrincipalVerifier,
  PRINCIPAL_HEADER,
} from '@tocsin/key-auth';
import { errorAnswer, secondsSince, send } from './envelope.ts';
import { sendFile } from './file-reply.ts';
import { noteOperation } from './handled-operation.ts';
import { FORWARDED_FOR_HEADER, PUBLIC_URL_HEADER, REQUEST_ID_HEADER } from './headers.ts';
import type { InternalRoute } from './internal-route.ts';
import { readJsonBody } from './json-body.ts';
import { rawBody, rawBodyOf } from './raw-body.ts';
import { requestIdAt } from './request-id.ts';
import type { FileReply, Reply, Route } from './route.ts';
import { validated } from './validation.ts';

/** What a service answers over HTTP, and what it needs for that. */
export interface ServiceAppOptions {
  /** At most one for each operation. */
  readonly routes: readonly Route[];
  readonly internalRoutes?: readonly InternalRoute[];
  readonly verifier: PrincipalVerifier;
  readonly clock: Clock;
  /** Told once of everything that is not a refusal: log it; the caller learns nothing but the request id. */
  readonly onDefect: (error: unknown, requestId: string) => void;
  /** Turns a failure of the service's own database or broker into the refusal that it means (E2: 503); the rest it gives back. */
  readonly meaningOf?: (error: unknown) => unknown;
}

type Handle = (request: Request, response: Response, requestId: string) => Promise<Reply | FileReply>;

/** What these send along is never read (E5). */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The HTTP face of a service: it answers only callers that are vouched for (K6) and may do what they ask (K3, K8), every
 * time in the envelope of E1 and with the statuses of E2. An operation without a route is 404 `No handler found`, after
 * the rights check.
 */
export function createServiceApp(options: ServiceAppOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  for (const route of options.internalRoutes ?? []) {
    app[verbOf(route.method)](route.path, answering(options, internalHandle(route, options)));
  }
  app.use(answering(options, publicHandle(options)));
  return app;
}

function publicHandle({ routes, verifier, clock }: ServiceAppOptions): Handle {
  const byOperation = indexed(routes);
  return async (request, response, requestId) => {
    const { operation, params } = requested(request);
    noteOperation(response, operation.id);
    const principal = principalFor(operation, await callerOf(request, verifier, clock));
    const route = byOperation.get(operation.id);
    if (route === undefined) throw new NotFoundError('No handler found');
    const reply = await route.handle({
      params,
      query: queryOf(request, route.query),
      body: await bodyOf(request, response, route.body),
      principal,
      requestId,
      callerAddress: callerAddressOf(request),
      publicUrl: publicUrlOf(request),
    });
    return operation.domain === 'integration' ? withCode(reply) : reply;
  };
}

/** Whoever asks with nothing but a link: no key's, and so no right of one (A13). */
const HOLDER: Principal = {
  ...{ integrationId: '', integrationName: '', integrationType: '', teamId: '' },
  ...{ mayWrite: false, mayConfigure: false },
};

function principalFor(operation: Operation, caller: Caller): Principal {
  if (operation.right === 'link') return HOLDER;
  if (isServiceCaller(caller)) throw new ForbiddenError('A service has no key of its own.');
  authorize(caller, operation);
  return caller;
}

function internalHandle(route: InternalRoute, { verifier, clock }: ServiceAppOptions): Handle {
  return async (request, response, requestId) => {
    noteOperation(response, 'internal');
    const caller = await callerOf(request, verifier, clock);
    if (!isServiceCaller(caller)) throw new ForbiddenError('Only a service may ask for this.');
    return route.handle({
      params: request.params as Record<string, string>,
      query: queryOf(request, route.query),
      body: await bodyOf(request, response, route.body),
      caller: caller.service,
      requestId,
    });
  };
}

function answering({ clock, onDefect, meaningOf = asIs }: ServiceAppOptions, handle: Handle): RequestHandler {
  return async (request, response) => {
    const startedAtMs = performance.now();
    const given = request.headers[REQUEST_ID_HEADER];
    const requestId = isUuid(given) ? (given as string) : requestIdAt(clock.now());
    response.setHeader('X-Request-ID', requestId);
    try {
      const reply = await handle(request, response, requestId);
      if ('file' in reply) {
        await sendFile(response, reply);
        return;
      }
      const { status = 200, headers = {}, body } = reply;
      send(response, { status, headers, body: { ...body, took: secondsSince(startedAtMs), requestId } });
    } catch (thrown) {
      const error = meaningOf(thrown);
      if (!(error instanceof AppError)) onDefect(error, requestId);
      send(response, errorAnswer(error, { took: secondsSince(startedAtMs), requestId }));
    }
  };
}

function asIs(error: unknown): unknown {
  return error;
}

function requested(request: Request): { operation: Operation; params: Readonly<Record<string, string>> } {
  const [path = ''] = request.url.split('?', 1);
  const match = matchOperation(request.method, path);
  if (match.outcome === 'not-found') throw new NotFoundError('No handler found');
  if (match.outcome === 'method-not-allowed') throw new MethodNotAllowedError(match.allowed);
  return match;
}

function callerOf(request: Request, verifier: PrincipalVerifier, clock: Clock): Promise<Caller> {
  return verifier.verify(request.get(PRINCIPAL_HEADER), clock.now());
}

function queryOf(request: Request, schema: z.ZodType | undefined): unknown {
  if (schema === undefined) return {};
  const start = request.url.indexOf('?');
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : request.url.slice(start))) {
    if (!query.has(name)) query.set(name, value);
  }
  return validated(schema, Object.fromEntries(query), 'query');
}

async function bodyOf(request: Request, response: Response, schema: z.ZodType | undefined): Promise<unknown> {
  if (schema === undefined) return undefined;
  if (schema === rawBody) return rawBodyOf(request);
  const body = BODILESS.has(request.method) ? undefined : await readJsonBody(request, response);
  return validated(schema, body ?? {}, 'body');
}

function callerAddressOf(request: Request): string {
  const [first = ''] = (request.get(FORWARDED_FOR_HEADER) ?? '').split(',', 1);
  return first.trim() || (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

function publicUrlOf(request: Request): string {
  return request.get(PUBLIC_URL_HEADER) ?? `http://${request.get('host') ?? 'localhost'}`;
}

/** Answers about integrations repeat the status in the body (E1). */
function withCode(reply: Reply | FileReply): Reply | FileReply {
  return 'file' in reply ? reply : { ...reply, body: { code: reply.status ?? 200, ...reply.body } };
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

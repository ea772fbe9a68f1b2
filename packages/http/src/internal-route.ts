import type { z } from 'zod';
import type { Method, ServiceName } from '@tocsin/contracts';
import type { Reply } from './route.ts';

/** One request of another service, parsed. */
export interface InternalInput<Q, B> {
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /** Who asks. */
  readonly caller: ServiceName;
  /** UUID v7. */
  readonly requestId: string;
}

/** What one service offers to the others alone: the gateway never forwards to it, and a principal's token does not open it. */
export interface InternalRoute<Q = unknown, B = unknown> {
  readonly method: Method;
  /** `/internal/…`, with parameters as `:name`. */
  readonly path: `/internal/${string}`;
  /** Values arrive as strings. Without a schema the query is ignored. */
  readonly query?: z.ZodType<Q>;
  /** Without a schema the body is ignored; `rawBody` hands it over unread. */
  readonly body?: z.ZodType<B>;
  readonly handle: (input: InternalInput<Q, B>) => Promise<Reply>;
}

/** The route that a request asks for, and the parameters of its path. */
export interface InternalMatch {
  readonly route: InternalRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The first of `routes` for `method` on `path`, which is still percent-encoded; undefined where there is none. */
export function matchInternalRoute(
  routes: readonly InternalRoute[],
  method: string,
  path: string,
): InternalMatch | undefined {
  const segments = path.split('/');
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route.path.split('/'), segments) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function paramsOf(wanted: readonly string[], given: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of given.entries()) {
    const expected = wanted[index] ?? '';
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined;
    } else {
      const value = decoded(segment);
      if (value === undefined || value === '') return undefined;
      params[expected.slice(1)] = value;
    }
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Keeps the types of one internal route's query and body together. */
export function defineInternalRoute<Q = unknown, B = unknown>(route: InternalRoute<Q, B>): InternalRoute {
  return route as InternalRoute;
}

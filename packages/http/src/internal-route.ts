import type { z } from 'zod';
import type { Method } from '@tocsin/api';
import type { ServiceName } from '@tocsin/events';
import type { Reply } from './route.ts';

/** One request of another service, parsed. */
export interface InternalInput<Q, B> {
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly caller: ServiceName;
  /** UUID v7. */
  readonly requestId: string;
}

/** A route for other services only. The gateway never forwards to it, and a principal's token does not give access to it. */
export interface InternalRoute<Q = unknown, B = unknown> {
  readonly method: Method;
  /** `/internal/…`, with parameters as `:name`. */
  readonly path: `/internal/${string}`;
  /** Values arrive as strings. Without a schema the query is ignored. */
  readonly query?: z.ZodType<Q>;
  /** Without a schema the body is ignored; `rawBody` passes it unread. */
  readonly body?: z.ZodType<B>;
  readonly handle: (input: InternalInput<Q, B>) => Promise<Reply>;
}

/** Keeps the types of one internal route's query and body together. */
export function defineInternalRoute<Q = unknown, B = unknown>(route: InternalRoute<Q, B>): InternalRoute {
  return route as InternalRoute;
}

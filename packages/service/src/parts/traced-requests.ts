import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { OPERATIONS } from '@tocsin/api';
import { handledOperation } from '@tocsin/http';
import type { SpanAttributes, Tracer } from '../observability/index.ts';

/** `begun`: a request may begin a trace. `continued`: it can only continue one. */
export type TracedRequests = 'begun' | 'continued';

/**
 * Answers requests with `app`, sampled ones in a span that ends with the answer. The span has the name and the path template of
 * the operation. It has no URL, because a path may contain an alias, and a query a key.
 */
export function traced(app: RequestListener, tracer: Tracer, traces: TracedRequests): RequestListener {
  return (request, response) => {
    const parent = parentOf(request);
    const options = { kind: 'server', parent, attributes: { 'http.request.method': request.method ?? '' } } as const;
    const span = traces === 'begun' ? tracer.beginTrace('request', options) : tracer.begin('request', options);
    if (span === undefined) {
      app(request, response);
      return;
    }
    response.once('close', () => {
      span.rename(handledOperation(response));
      span.set(answerOf(response));
      span.end(response.statusCode < 500 ? undefined : String(response.statusCode));
    });
    tracer.within(span, () => {
      app(request, response);
    });
  };
}

const ROUTES: ReadonlyMap<string, string> = new Map(OPERATIONS.map(({ id, path }) => [id, path]));

function answerOf(response: ServerResponse): SpanAttributes {
  const operation = handledOperation(response);
  const route = ROUTES.get(operation);
  return {
    'tocsin.operation': operation,
    ...(route !== undefined && { 'http.route': route }),
    'http.response.status_code': response.statusCode,
    'tocsin.request_id': String(response.getHeader('X-Request-ID') ?? ''),
  };
}

function parentOf({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers;
  return Array.isArray(traceparent) ? traceparent[0] : traceparent;
}

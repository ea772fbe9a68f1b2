import type { ServiceName } from '@tocsin/contracts';
import { AppError } from '@tocsin/errors';
import type { Tracer } from '@tocsin/observability';
import type { Answered } from './exchange.ts';
import type { ForwardedRequest, ForwardingUpstream, Way } from './upstream.ts';

export interface TracedUpstreamOptions {
  readonly service: ServiceName;
  readonly upstream: ForwardingUpstream;
  readonly tracer: Pick<Tracer, 'begin' | 'current'>;
}

/** Forwards as `upstream` does, and tells the service of which trace the request is a part, where it is sampled. */
export class TracedUpstream implements ForwardingUpstream {
  readonly #options: TracedUpstreamOptions;

  constructor(options: TracedUpstreamOptions) {
    this.#options = options;
  }

  isFull(way: Way): boolean {
    return this.#options.upstream.isFull(way);
  }

  check(way: Way, caller: string): void {
    this.#options.upstream.check(way, caller);
  }

  async forward(request: ForwardedRequest, answered: Answered): Promise<void> {
    const { service, tracer, upstream } = this.#options;
    const { method } = request;
    const span = tracer.begin(`${method} ${service}`, {
      kind: 'client',
      parent: tracer.current(),
      attributes: { 'http.request.method': method, 'peer.service': service },
    });
    if (span === undefined) {
      await upstream.forward(request, answered);
      return;
    }
    try {
      await upstream.forward({ ...request, headers: [...request.headers, 'traceparent', span.context] }, answered);
      span.set({ 'http.response.status_code': answered.response.statusCode });
      span.end();
    } catch (error) {
      span.end(error instanceof AppError ? error.code : 'unknown');
      throw error;
    }
  }
}

import type { ServiceName } from '@tocsin/events';
import { AppError } from '@tocsin/core';
import type { Tracer } from '@tocsin/service';
import type { ClientResponse } from './exchange.ts';
import type { ForwardedRequest, ForwardingUpstream, PoolKind } from './upstream.ts';

export interface TracedUpstreamOptions {
  readonly service: ServiceName;
  readonly upstream: ForwardingUpstream;
  readonly tracer: Pick<Tracer, 'begin' | 'current'>;
}

/** Forwards as `upstream` does, and adds the header `traceparent` to requests that are sampled. */
export class TracedUpstream implements ForwardingUpstream {
  readonly #options: TracedUpstreamOptions;

  constructor(options: TracedUpstreamOptions) {
    this.#options = options;
  }

  isFull(poolKind: PoolKind): boolean {
    return this.#options.upstream.isFull(poolKind);
  }

  check(poolKind: PoolKind, caller: string): void {
    this.#options.upstream.check(poolKind, caller);
  }

  async forward(request: ForwardedRequest, client: ClientResponse): Promise<void> {
    const { service, tracer, upstream } = this.#options;
    const { method } = request;
    const span = tracer.begin(`${method} ${service}`, {
      kind: 'client',
      parent: tracer.current(),
      attributes: { 'http.request.method': method, 'peer.service': service },
    });
    if (span === undefined) {
      await upstream.forward(request, client);
      return;
    }
    try {
      await upstream.forward({ ...request, headers: [...request.headers, 'traceparent', span.context] }, client);
      span.set({ 'http.response.status_code': client.response.statusCode });
      span.end();
    } catch (error) {
      span.end(error instanceof AppError ? error.code : 'unknown');
      throw error;
    }
  }
}

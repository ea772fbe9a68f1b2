import type { RequestListener } from 'node:http';
import type { ServiceName } from '@tocsin/events';
import {
  answeredAtMs,
  handledOperation,
  type HttpServerOptions,
  InternalClient,
  type ServiceAppOptions,
  PrincipalSigner,
  PrincipalVerifier,
} from '@tocsin/http';
import { asUnavailable } from '@tocsin/mongo';
import type { ServiceContext } from '../context.ts';
import { listen } from '../listen.ts';
import { traced, type TracedRequests } from './traced-requests.ts';

/** The options of `createServiceApp` without the routes. */
export function appOptions(context: ServiceContext): Omit<ServiceAppOptions, 'routes'> {
  const { clock, config, logger, name } = context;
  return {
    verifier: new PrincipalVerifier(config.common.signingKeys, name),
    clock,
    onDefect: (error, requestId) => {
      logger.error({ err: error, requestId }, 'A request failed.');
    },
    meaningOf: asUnavailable,
  };
}

const clients = new WeakMap<ServiceContext, Map<ServiceName, InternalClient>>();

/**
 * The one client for the internal routes of another service. It signs its requests as this service, and is closed at the stop.
 */
export function internalClient(context: ServiceContext, service: ServiceName): InternalClient {
  const opened = clients.get(context) ?? new Map<ServiceName, InternalClient>();
  clients.set(context, opened);
  const client = opened.get(service) ?? openClient(context, service);
  opened.set(service, client);
  return client;
}

function openClient({ clock, config, lifecycle, name, tracer }: ServiceContext, service: ServiceName): InternalClient {
  const { serviceUrls, signingKeys } = config.common;
  const signer = new PrincipalSigner(signingKeys);
  const client = new InternalClient({
    baseUrl: serviceUrls[service],
    signer,
    caller: name,
    audience: service,
    clock,
    ...(tracer.on && { tracer }),
  });
  lifecycle.add(`connections to ${service}`, () => client.close());
  return client;
}

export interface ServeOptions extends Omit<HttpServerOptions, 'clock'> {
  /** 1 by default. */
  readonly listeners?: number;
  /** Whether a request can begin a trace. By default it only continues that of its caller. */
  readonly traces?: TracedRequests;
}

/**
 * Serves the service's app on its port until the stop, and measures every request. Resolves with the port. Once the service is
 * stopping, each answer closes its connection, so that callers with keep-alive connections have left when the port closes.
 */
export async function serve(
  context: ServiceContext,
  app: RequestListener,
  { traces = 'continued', ...bounds }: ServeOptions = {},
): Promise<number> {
  const { config, health, lifecycle, metrics, realClock, tracer } = context;
  const { host, port } = config.common;
  const measured: RequestListener = (request, response) => {
    const startedAt = performance.now();
    response.once('close', () => {
      metrics.httpRequest({
        method: request.method ?? 'GET',
        operation: handledOperation(response),
        status: response.statusCode,
        seconds: (answeredAtMs(response) - startedAt) / 1_000,
      });
    });
    app(request, response);
  };
  const isLeaving = () => health.stopping;
  return listen(tracer.on ? traced(measured, tracer, traces) : measured, {
    name: 'http',
    host,
    port,
    lifecycle,
    clock: realClock,
    isLeaving,
    ...bounds,
  });
}

import { SERVICES, type ServiceName } from '@tocsin/events';
import { shareOf, type CircuitOptions } from '@tocsin/http';
import type { Logger, Metrics, ServiceContext } from '@tocsin/service';
import type { Config } from '../config.ts';
import { TracedUpstream } from './traced-upstream.ts';
import { Upstream, type ForwardingUpstream } from './upstream.ts';

/** Logs once that a service does not answer, and once that it answers again. Its gauge has the state. */
export function circuitReport(
  service: ServiceName,
  { logger, metrics }: { readonly logger: Pick<Logger, 'info' | 'warn'>; readonly metrics: Metrics },
): CircuitOptions['onChange'] {
  metrics.upstreamCircuit(service, 'closed');
  return (state, error) => {
    metrics.upstreamCircuit(service, state);
    if (state === 'open') logger.warn({ service, err: error }, 'a service does not answer');
    else logger.info({ service }, 'a service answers again');
  };
}

/** The services behind the gateway, by name. At the stop, requests under way are finished before the connections close. */
export async function openUpstreams({
  config,
  lifecycle,
  logger,
  metrics,
  tracer,
}: ServiceContext<Config>): Promise<ReadonlyMap<ServiceName, ForwardingUpstream>> {
  const upstreams = new Map<ServiceName, ForwardingUpstream>();
  const { upstreamTimeoutMs: timeoutMs, upstreamConnections, filesAtOnce, keySharePercent } = config;
  const { circuitFailures: failures, circuitRetryMs: retryMs } = config;
  const connections = shareOf(upstreamConnections, keySharePercent);
  const transfers = shareOf(filesAtOnce, keySharePercent);
  for (const name of SERVICES.filter((service) => service !== 'gateway')) {
    const url = config.common.serviceUrls[name];
    const circuit = { failures, retryMs, onChange: circuitReport(name, { logger, metrics }) };
    const upstream = new Upstream({ url, timeoutMs, connections, transfers, circuit });
    await lifecycle.start(
      `connections to ${name}`,
      () => upstream,
      () => upstream.close(),
    );
    upstreams.set(name, tracer.on ? new TracedUpstream({ service: name, upstream, tracer }) : upstream);
  }
  return upstreams;
}

import { SERVICES, type ServiceName } from '@tocsin/events';
import { shareOf, type CircuitOptions } from '@tocsin/http';
import type { Logger, Metrics, ServiceContext } from '@tocsin/service';
import type { Config } from '../config.ts';
import { TracedUpstream } from './traced-upstream.ts';
import { Upstream, type ForwardingUpstream, type UpstreamOptions } from './upstream.ts';

/** Logs once that a service does not answer, and once that it answers again. Its gauge has the state. */
export function circuitReport(
  service: ServiceName | 'opsgenie',
  { logger, metrics }: { readonly logger: Pick<Logger, 'info' | 'warn'>; readonly metrics: Metrics },
): CircuitOptions['onChange'] {
  metrics.upstreamCircuit(service, 'closed');
  return (state, error) => {
    metrics.upstreamCircuit(service, state);
    if (state === 'open') logger.warn({ service, err: error }, 'a service does not answer');
    else logger.info({ service }, 'a service answers again');
  };
}

/** The bounds of requests to a service. */
function boundsOf(config: Config): Omit<UpstreamOptions, 'circuit' | 'url'> {
  const { filesAtOnce, keySharePercent, upstreamConnections, upstreamTimeoutMs: timeoutMs } = config;
  const connections = shareOf(upstreamConnections, keySharePercent);
  return { timeoutMs, connections, transfers: shareOf(filesAtOnce, keySharePercent) };
}

/** Opsgenie at `url`, with the bounds of a service. At the stop, requests under way are finished before the connections close. */
export async function openOpsgenie(
  { config, lifecycle, logger, metrics }: ServiceContext<Config>,
  url: string,
): Promise<ForwardingUpstream> {
  const { circuitFailures: failures, circuitRetryMs: retryMs } = config;
  const onChange = circuitReport('opsgenie', { logger, metrics });
  const circuit = { failures, retryMs, onChange, subject: 'Opsgenie' };
  const upstream = new Upstream({ url, ...boundsOf(config), circuit });
  await lifecycle.start(
    'connections to Opsgenie',
    () => upstream,
    () => upstream.close(),
  );
  return upstream;
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
  const { circuitFailures: failures, circuitRetryMs: retryMs } = config;
  for (const name of SERVICES.filter((service) => service !== 'gateway')) {
    const url = config.common.serviceUrls[name];
    const circuit = { failures, retryMs, onChange: circuitReport(name, { logger, metrics }) };
    const upstream = new Upstream({ url, ...boundsOf(config), circuit });
    await lifecycle.start(
      `connections to ${name}`,
      () => upstream,
      () => upstream.close(),
    );
    upstreams.set(name, tracer.on ? new TracedUpstream({ service: name, upstream, tracer }) : upstream);
  }
  return upstreams;
}

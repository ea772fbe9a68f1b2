import type { ServiceName } from '@tocsin/contracts';
import type { ServiceContext } from '@tocsin/service-kit';
import type { Config } from '../config.ts';
import { Upstream } from './upstream.ts';

const SERVICES = [
  'alert-ingest',
  'alert-processor',
  'scheduling',
  'directory',
  'heartbeat-monitor',
  'notifier',
] as const;

/** The services behind the gateway, by name; at the stop each is left once what is under way is done. */
export async function openUpstreams({
  config,
  lifecycle,
  logger,
}: ServiceContext<Config>): Promise<ReadonlyMap<ServiceName, Upstream>> {
  const upstreams = new Map<ServiceName, Upstream>();
  for (const name of SERVICES) {
    const { callerTimeoutMs, upstreamTimeoutMs: timeoutMs, upstreamConnections: connections } = config;
    const url = config.common.serviceUrls[name];
    const upstream = new Upstream({ name, url, timeoutMs, callerTimeoutMs, connections, logger });
    upstreams.set(
      name,
      await lifecycle.start(
        `connections to ${name}`,
        () => upstream,
        () => upstream.close(),
      ),
    );
  }
  return upstreams;
}

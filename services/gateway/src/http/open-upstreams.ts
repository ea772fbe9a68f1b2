import type { ServiceName } from '@tocsin/contracts';
import { shareOf } from '@tocsin/http';
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

/** The services behind the gateway, by name. At the stop, requests under way are finished before the connections close. */
export async function openUpstreams({
  config,
  lifecycle,
  logger,
}: ServiceContext<Config>): Promise<ReadonlyMap<ServiceName, Upstream>> {
  const upstreams = new Map<ServiceName, Upstream>();
  const { upstreamTimeoutMs: timeoutMs, upstreamConnections, filesAtOnce, keySharePercent } = config;
  const connections = shareOf(upstreamConnections, keySharePercent);
  const transfers = shareOf(filesAtOnce, keySharePercent);
  for (const name of SERVICES) {
    const url = config.common.serviceUrls[name];
    const upstream = new Upstream({ name, url, timeoutMs, connections, transfers, logger });
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

import { AlertCommands, Teams } from '@tocsin/contracts';
import type { IndexPlan } from '@tocsin/persistence';
import {
  appOptions,
  internalClient,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  type ServiceContext,
} from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { HttpGateway } from './clients/http-gateway.ts';
import type { Config } from './config.ts';
import { watchHeartbeats } from './jobs/watch-heartbeats.ts';
import { createMonitor } from './monitor.ts';
import { heartbeatIndexes } from './storage/heartbeat-documents.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = heartbeatIndexes;

/** The only file that knows every concrete part, with monitor.ts. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, logger, metrics } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [AlertCommands]);
  const replicas = await openReplicas(context);
  const { heartbeats, watch } = createMonitor({
    connection,
    outbox,
    clock,
    logger,
    gateway: new HttpGateway(internalClient(context, 'gateway')),
    teams: replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } }),
    onExpired: (count) => {
      metrics.count('tocsin_heartbeats_expired_total', count);
    },
  });

  await replicas.start();
  await serve(context, createApp({ ...appOptions(context), heartbeats }));
  watchHeartbeats(context, watch);
}

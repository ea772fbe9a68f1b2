import { Teams } from '@tocsin/contracts';
import {
  appOptions,
  internalClient,
  openMongo,
  openPublisher,
  openReplicas,
  serve,
  type ServiceContext,
} from '@tocsin/service-kit';
import { v4, v5 } from 'uuid';
import { createApp } from './app.ts';
import { HeartbeatWatch } from './application/heartbeat-watch.ts';
import { Heartbeats } from './application/heartbeats.ts';
import { HttpGateway } from './clients/http-gateway.ts';
import type { Config } from './config.ts';
import { watchHeartbeats } from './jobs/watch-heartbeats.ts';
import { heartbeatIndexes } from './storage/heartbeat-documents.ts';
import { MongoHeartbeatStore } from './storage/mongo-heartbeat-store.ts';

/** The only file that knows every concrete part. Parts stop in the reverse of the order in which they start. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, logger, metrics } = context;
  const store = new MongoHeartbeatStore(await openMongo(context, heartbeatIndexes));
  const publisher = await openPublisher(context);
  const replicas = await openReplicas(context);
  const teams = replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } });
  const watch = new HeartbeatWatch({
    store,
    publisher,
    teams,
    clock,
    logger,
    gateway: new HttpGateway(internalClient(context, 'gateway')),
    alertIdOf: (heartbeatId, step) => v5(String(step), heartbeatId),
    onExpired: (count) => {
      metrics.count('heartbeats_expired_total', 'Heartbeats that were silent for too long.', count);
    },
  });

  await replicas.start();
  await serve(
    context,
    createApp({ ...appOptions(context), heartbeats: new Heartbeats({ store, teams, watch, clock, newId: v4 }) }),
  );
  await watchHeartbeats(context, watch);
}

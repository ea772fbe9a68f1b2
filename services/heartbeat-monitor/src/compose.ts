import { v4, v5 } from 'uuid';
import type { Clock } from '@tocsin/core';
import { AlertCommands, Teams, type TeamState } from '@tocsin/events';
import { createServiceApp, type Route } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { Connection, IndexPlan, Outbox } from '@tocsin/mongo';
import {
  appOptions,
  internalClient,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  type ServiceContext,
} from '@tocsin/service';
import type { Config } from './config.ts';
import { livenessIndexes, MonitorLivenessStore } from './heartbeats/liveness-store.ts';
import { Heartbeats } from './heartbeats/operations.ts';
import { heartbeatRoutes } from './heartbeats/routes.ts';
import { heartbeatIndexes, HeartbeatStore } from './heartbeats/store.ts';
import { gatewayAcceptsPings, HeartbeatTask, addHeartbeatTask } from './heartbeats/task.ts';

// `npm run bench -- heartbeats` loads these.
export { toDocument, HEARTBEATS } from './heartbeats/heartbeat-document.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [...heartbeatIndexes, ...livenessIndexes];

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, logger, metrics } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [AlertCommands]);
  const replicas = await openReplicas(context);
  const { routes, task } = createMonitor({
    connection,
    outbox,
    clock,
    logger,
    acceptsPings: gatewayAcceptsPings(internalClient(context, 'gateway')),
    teams: replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } }),
    onExpired: (count) => {
      metrics.count('tocsin_heartbeats_expired_total', count);
    },
  });

  await replicas.start();
  await serve(context, createServiceApp({ ...appOptions(context), routes }));
  addHeartbeatTask(context, task);
}

export interface MonitorOptions {
  readonly connection: Connection;
  /** Relays `alert-commands.v1`. */
  readonly outbox: Pick<Outbox, 'add'>;
  /** Whether the gateway accepts pings. Never rejects. */
  readonly acceptsPings: () => Promise<boolean>;
  readonly teams: ReplicaView<TeamState>;
  readonly clock: Clock;
  readonly logger: Record<'error' | 'warn', (fields: object, message: string) => void>;
  readonly onExpired: (count: number) => void;
}

/** The routes of heartbeats and what expires them, over one database. `npm run bench -- heartbeats` measures both. */
export function createMonitor({ connection, outbox, ...options }: MonitorOptions): {
  readonly routes: readonly Route[];
  readonly task: HeartbeatTask;
} {
  const { clock, logger, teams } = options;
  const alertIdOf = (heartbeatId: string, step: number) => v5(String(step), heartbeatId);
  const store = new HeartbeatStore({ connection, outbox, logger, alertIdOf });
  const task = new HeartbeatTask({ ...options, store, liveness: new MonitorLivenessStore(connection) });
  return { task, routes: heartbeatRoutes(new Heartbeats({ store, teams, task, clock, newId: v4 })) };
}

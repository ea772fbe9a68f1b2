import type { Clock } from '@tocsin/clock';
import type { TeamState } from '@tocsin/contracts';
import type { Publisher, ReplicaView } from '@tocsin/messaging';
import type { Connection } from '@tocsin/persistence';
import { v4, v5 } from 'uuid';
import { AlertPublisher } from './application/alert-publisher.ts';
import { HeartbeatWatch } from './application/heartbeat-watch.ts';
import { Heartbeats } from './application/heartbeats.ts';
import type { Gateway } from './ports/gateway.ts';
import { MongoHeartbeatStore } from './storage/mongo-heartbeat-store.ts';

export { createApp } from './app.ts';
export { documentOf, HEARTBEATS, heartbeatIndexes } from './storage/heartbeat-documents.ts';

export interface MonitorParts {
  readonly connection: Connection;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly gateway: Gateway;
  readonly teams: ReplicaView<TeamState>;
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  readonly onExpired: (count: number) => void;
}

/** What answers requests about heartbeats, and what watches them, over one database. `bench:heartbeats` measures both. */
export function createMonitor({ connection, teams, clock, ...parts }: MonitorParts): {
  readonly heartbeats: Heartbeats;
  readonly watch: HeartbeatWatch;
} {
  const store = new MongoHeartbeatStore(connection);
  const alertIdOf = (heartbeatId: string, step: number) => v5(String(step), heartbeatId);
  const alerts = new AlertPublisher({ ...parts, store, teams, alertIdOf });
  const watch = new HeartbeatWatch({ ...parts, store, alerts, clock });
  return { watch, heartbeats: new Heartbeats({ store, teams, watch, alerts, clock, newId: v4 }) };
}

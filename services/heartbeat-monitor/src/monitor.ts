import type { Clock } from '@tocsin/clock';
import type { TeamState } from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import type { Connection, Outbox } from '@tocsin/persistence';
import { v4, v5 } from 'uuid';
import { HeartbeatWatch } from './application/heartbeat-watch.ts';
import { Heartbeats } from './application/heartbeats.ts';
import type { Gateway } from './ports/gateway.ts';
import { MongoHeartbeatStore } from './storage/mongo-heartbeat-store.ts';

export { createApp } from './app.ts';
export { documentOf, HEARTBEATS, heartbeatIndexes } from './storage/heartbeat-documents.ts';

export interface MonitorParts {
  readonly connection: Connection;
  /** Relays `alert-commands.v1`. */
  readonly outbox: Pick<Outbox, 'add'>;
  readonly gateway: Gateway;
  readonly teams: ReplicaView<TeamState>;
  readonly clock: Clock;
  readonly logger: Record<'error' | 'warn', (fields: object, message: string) => void>;
  readonly onExpired: (count: number) => void;
}

/** What answers requests about heartbeats, and what watches them, over one database. `bench:heartbeats` measures both. */
export function createMonitor({ connection, outbox, ...parts }: MonitorParts): {
  readonly heartbeats: Heartbeats;
  readonly watch: HeartbeatWatch;
} {
  const { clock, logger, teams } = parts;
  const alertIdOf = (heartbeatId: string, step: number) => v5(String(step), heartbeatId);
  const store = new MongoHeartbeatStore({ connection, outbox, logger, alertIdOf });
  const watch = new HeartbeatWatch({ ...parts, store });
  return { watch, heartbeats: new Heartbeats({ store, teams, watch, clock, newId: v4 }) };
}

/**
 * A process that writes one ping, if it is told one, takes one turn of a monitor and relays the outbox, and kills itself or freezes
 * at the point that it is told. Its one argument is a {@link KilledWatch} in JSON. It writes what it publishes to its parent, one line for each
 * batch.
 */
import { ManualClock } from '@tocsin/clock';
import { AlertCommands } from '@tocsin/contracts';
import { connectMongo, Outbox, type Connection, type RelayPublisher } from '@tocsin/persistence';
import { dieAt, monitoredUri, tellParent, type PointOfDeath } from '@tocsin/testing';
import { HeartbeatWatch } from '../application/heartbeat-watch.ts';
import { pinged } from '../domain/heartbeat.ts';
import { MongoHeartbeatStore } from '../storage/mongo-heartbeat-store.ts';

export interface KilledWatch {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  /** The heartbeat that is pinged first. */
  readonly pings?: string;
  readonly dieAt: PointOfDeath;
  /** SIGKILL by default. */
  readonly signal?: 'SIGSTOP';
}

/** A monitor as the service has it, which does nothing until it is asked. */
export interface Monitor {
  readonly store: MongoHeartbeatStore;
  readonly watch: HeartbeatWatch;
  readonly outbox: Outbox;
}

const logger = { warn: () => undefined, error: () => undefined };

export function openMonitor(connection: Connection, now: Date, publisher: RelayPublisher): Monitor {
  const outbox = new Outbox({ connection, publisher, topics: [AlertCommands], logger });
  const alertIdOf = (id: string, step: number) => `alert-${id}-${step}`;
  const store = new MongoHeartbeatStore({ connection, outbox, alertIdOf, logger });
  const watch = new HeartbeatWatch({
    store,
    teams: { get: () => undefined },
    gateway: { takesPings: () => Promise.resolve(true) },
    clock: new ManualClock(now),
    logger,
    onExpired: () => undefined,
  });
  return { store, watch, outbox };
}

async function runUntilDeath({ database, mongoUri, now, pings, ...told }: KilledWatch): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), told.dieAt, told.signal);
  const at = new Date(now);
  const { outbox, store, watch } = openMonitor(connection, at, {
    publish: (_, messages) => {
      tellParent(JSON.stringify(messages));
      return Promise.resolve();
    },
  });
  if (pings !== undefined) await store.change(pings, (present) => pinged(present, at));
  await watch.turn();
  await outbox.flush();
  await connection.close();
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-watch.ts') && told !== undefined) await runUntilDeath(JSON.parse(told) as KilledWatch);

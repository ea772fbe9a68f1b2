/**
 * A process that takes one turn of a monitor, or takes one ping and tells of it, and kills itself at the point that it is told, if
 * any. Its one argument is a {@link KilledWatch} in JSON. It writes what it publishes to its parent, one line for each lot.
 */
import { v5 } from 'uuid';
import { ManualClock } from '@tocsin/clock';
import type { Publisher } from '@tocsin/messaging';
import { connectMongo, type Connection } from '@tocsin/persistence';
import { dieAt, monitoredUri, tellParent, type PointOfDeath } from '@tocsin/testing';
import { AlertPublisher } from '../application/alert-publisher.ts';
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
  readonly dieAt?: PointOfDeath;
}

/** The watch as the service has it, which does nothing until it is asked. */
export function openWatch(connection: Connection, now: Date, publisher: Pick<Publisher, 'publish'>): HeartbeatWatch {
  const store = new MongoHeartbeatStore(connection);
  const logger = { warn: () => undefined };
  const alertIdOf = (id: string, step: number) => v5(String(step), id);
  return new HeartbeatWatch({
    store,
    alerts: new AlertPublisher({ store, publisher, teams: { get: () => undefined }, alertIdOf, logger }),
    gateway: { takesPings: () => Promise.resolve(true) },
    clock: new ManualClock(now),
    logger,
    onExpired: () => undefined,
  });
}

async function runUntilDeath({ database, mongoUri, now, pings, ...told }: KilledWatch): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  if (told.dieAt !== undefined) dieAt(connection.getClient(), told.dieAt);
  const publisher: Pick<Publisher, 'publish'> = {
    publish: (_, messages) => {
      tellParent(JSON.stringify(messages));
      return Promise.resolve();
    },
  };
  const at = new Date(now);
  if (pings !== undefined) await new MongoHeartbeatStore(connection).change(pings, (present) => pinged(present, at));
  await openWatch(connection, at, publisher).turn();
  await connection.close();
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-watch.ts') && told !== undefined) await runUntilDeath(JSON.parse(told) as KilledWatch);

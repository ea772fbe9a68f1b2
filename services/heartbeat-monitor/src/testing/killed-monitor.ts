/**
 * A process that writes one ping, if `pings` names a heartbeat, runs the task of a monitor once and relays the outbox, and kills or
 * freezes itself at `dieAt`. Its one argument is a {@link KilledMonitor} in JSON. It writes what it publishes to its parent, one line
 * for each batch.
 */
import { ManualClock } from '@tocsin/core';
import { AlertCommands } from '@tocsin/events';
import { connectMongo, Outbox, type Connection, type RelayPublisher } from '@tocsin/mongo';
import { dieAt, monitoredUri, tellParent, type PointOfDeath } from '@tocsin/testkit';
import { HeartbeatTask } from '../heartbeats/task.ts';
import { applyPing } from '../heartbeats/heartbeat.ts';
import { MonitorLivenessStore } from '../heartbeats/liveness-store.ts';
import { HeartbeatStore } from '../heartbeats/store.ts';

export interface KilledMonitor {
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

/** The parts of a monitor as the service has them. None starts by itself. */
export interface Monitor {
  readonly store: HeartbeatStore;
  readonly liveness: MonitorLivenessStore;
  readonly task: HeartbeatTask;
  readonly outbox: Outbox;
}

const logger = { warn: () => undefined, error: () => undefined };

export function openMonitor(connection: Connection, now: Date, publisher: RelayPublisher): Monitor {
  const outbox = new Outbox({ connection, publisher, topics: [AlertCommands], logger });
  const alertIdOf = (id: string, step: number) => `alert-${id}-${step}`;
  const store = new HeartbeatStore({ connection, outbox, alertIdOf, logger });
  const liveness = new MonitorLivenessStore(connection);
  const task = new HeartbeatTask({
    store,
    liveness,
    teams: { get: () => undefined },
    acceptsPings: () => Promise.resolve(true),
    clock: new ManualClock(now),
    logger,
    onExpired: () => undefined,
  });
  return { store, liveness, task, outbox };
}

async function runUntilDeath({ database, mongoUri, now, pings, ...death }: KilledMonitor): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), death.dieAt, death.signal);
  const at = new Date(now);
  const { outbox, store, task } = openMonitor(connection, at, {
    publish: (_, messages) => {
      tellParent(JSON.stringify(messages));
      return Promise.resolve();
    },
  });
  if (pings !== undefined) await store.change(pings, (present) => applyPing(present, at));
  await task.activate();
  await outbox.flush();
  await connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-monitor.ts') && options !== undefined)
  await runUntilDeath(JSON.parse(options) as KilledMonitor);

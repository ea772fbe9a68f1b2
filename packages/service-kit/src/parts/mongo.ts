import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@tocsin/clock';
import type { ServiceName } from '@tocsin/contracts';
import {
  connectMongo,
  migrate,
  missingFrom,
  persistenceIndexes,
  refusedRetention,
  type Connection,
  type IndexPlan,
  type PoolBounds,
} from '@tocsin/persistence';
import { ClockWatch } from '../clock-watch.ts';
import { clocksOfServices } from '../clocks-of-services.ts';
import type { ServiceContext } from '../context.ts';
import { everySeconds } from '../every.ts';

const RETRY_MS = 1_000;
const COMPARED_EVERY_SECONDS = 30;

/**
 * Opens the service's own database and makes the collections and indexes of `plans` and of the mechanisms, or waits until they
 * are there (`DATABASE_SETUP`). While MongoDB is away it tries again, and the service is not ready; once open, its absence makes
 * the service unready unless told otherwise.
 * A machine whose clock is over a second away from MongoDB's and from those of most other services is not ready until it is
 * back; that is looked at every 30 s.
 */
export async function openMongo(
  context: ServiceContext,
  plans: readonly IndexPlan[],
  { neededWhenReady = true }: { readonly neededWhenReady?: boolean } = {},
): Promise<Connection> {
  const { config, health, lifecycle } = context;
  const connection = await lifecycle.start(
    'mongodb',
    () => connected(context, targetOf(context), allIndexes(plans, config.common.refusedRetentionDays)),
    (open) => open.close(),
  );
  if (neededWhenReady) health.require('mongodb', () => answers(connection));
  await watchClock(context, connection);
  return connection;
}

/**
 * Opens connections to the same database for one kind of work, which never takes those of another kind: what does not get one
 * within `waitMs` of real time fails as an outage. For databases that are open already.
 */
export async function openMongoApart(context: ServiceContext, work: string, pool: PoolBounds): Promise<Connection> {
  return context.lifecycle.start(
    `mongodb for ${work}`,
    () => connected(context, { ...targetOf(context), pool }, []),
    (open) => open.close(),
  );
}

/** The indexes of a service's own collections, `plans`, and of the mechanisms that every database holds. */
export function allIndexes(plans: readonly IndexPlan[], refusedRetentionDays: number): readonly IndexPlan[] {
  return [...persistenceIndexes, refusedRetention(refusedRetentionDays), ...plans];
}

/** The database of the service `name`, such as `tocsin_alert_processor`. */
export function databaseOf(name: ServiceName, prefix: string): string {
  return `${prefix}${name.replaceAll('-', '_')}`;
}

function targetOf({ config, name }: ServiceContext): Target {
  return { uri: config.common.mongoUri, database: databaseOf(name, config.common.databasePrefix) };
}

type Target = Parameters<typeof connectMongo>[0];

/** Leases, due instants and ages mean nothing on a machine whose clock is wrong: others should have its work. */
async function watchClock(context: ServiceContext, connection: Connection): Promise<void> {
  const { config, health, logger, metrics, name } = context;
  const watch = new ClockWatch({
    clock: systemClock,
    askMongo: async () => ((await connection.db?.command({ hello: 1 })) as { readonly localTime: Date }).localTime,
    askOthers: () => clocksOfServices(config.common.serviceUrls, name, systemClock),
    logger,
    show: (seconds) => {
      metrics.clockAhead(seconds);
    },
  });
  const compare = () => watch.compare();
  await compare().catch((error: unknown) => {
    logger.warn({ err: error }, 'MongoDB did not tell its time');
  });
  await everySeconds(context, COMPARED_EVERY_SECONDS, 'comparing the clock with that of MongoDB', compare);
  health.require('clock', () => !watch.wrong);
}

async function answers(connection: Connection): Promise<boolean> {
  await connection.db?.command({ ping: 1 });
  return true;
}

async function connected(context: ServiceContext, target: Target, plans: readonly IndexPlan[]): Promise<Connection> {
  const { lifecycle, logger } = context;
  let connection: Connection | undefined;
  while (!lifecycle.stopping) {
    try {
      connection ??= await connectMongo(target);
      if (await isSetUp(context, connection, plans)) return connection;
    } catch (error) {
      logger.warn({ err: error }, 'MongoDB does not answer yet');
    }
    await pause(RETRY_MS);
  }
  await connection?.close();
  throw new Error('The service was stopped before its database was ready.');
}

/** Whether collections and indexes are there; makes them where this process may. */
async function isSetUp(
  { config, logger }: ServiceContext,
  connection: Connection,
  plans: readonly IndexPlan[],
): Promise<boolean> {
  if (config.common.databaseSetup === 'make') {
    await migrate(connection, plans);
    return true;
  }
  const missing = await missingFrom(connection, plans);
  if (missing.length > 0) logger.warn({ missing }, 'Waiting for collections and indexes that are not there yet.');
  return missing.length === 0;
}

import { retry } from '@tocsin/core';
import {
  connectMongo,
  databaseOf,
  migrate,
  missingFrom,
  persistenceIndexes,
  refusedRetention,
  requireNoRestore,
  serverTime,
  type Connection,
  type IndexPlan,
  type PoolBounds,
} from '@tocsin/mongo';
import type { ServiceContext } from '../context.ts';
import { followClock } from '../follow-clock.ts';

/**
 * Opens the service's own database, and creates the collections and indexes of `plans` and of `@tocsin/mongo`, or waits
 * until they exist (`DATABASE_SETUP`). It waits for MongoDB, and for the end of a restore, without a limit. Later the service is unready while MongoDB is unavailable,
 * unless `neededWhenReady` is false. Sets the clock of the service by MongoDB's before it resolves, so that nothing works by another
 * clock.
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
  await followClock(context, { ask: () => serverTime(connection) });
  return connection;
}

/**
 * Opens a connection pool to the same database for one kind of work, which so never uses up the connections of others. After
 * `openMongo`.
 */
export async function openMongoApart(context: ServiceContext, work: string, pool: PoolBounds): Promise<Connection> {
  return context.lifecycle.start(
    `mongodb for ${work}`,
    () => connected(context, { ...targetOf(context), pool }, []),
    (open) => open.close(),
  );
}

/** The indexes of a service's own collections, `plans`, and of the collections that every database has. */
export function allIndexes(plans: readonly IndexPlan[], refusedRetentionDays: number): readonly IndexPlan[] {
  return [...persistenceIndexes, refusedRetention(refusedRetentionDays), ...plans];
}

function targetOf({ config, name }: ServiceContext): Target {
  return { uri: config.common.mongoUri, database: databaseOf(name, config.common.databasePrefix) };
}

type Target = Parameters<typeof connectMongo>[0];

async function answers(connection: Connection): Promise<boolean> {
  await connection.db?.command({ ping: 1 });
  return true;
}

async function connected(context: ServiceContext, target: Target, plans: readonly IndexPlan[]): Promise<Connection> {
  const { lifecycle, logger } = context;
  let connection: Connection | undefined;
  const prepare = async (): Promise<Connection> => {
    connection ??= await connectMongo(target);
    await setUp(context, connection, plans);
    return connection;
  };
  const prepared = await retry(prepare, {
    isWanted: () => !lifecycle.stopping,
    onFailure: (error) => {
      logger.warn({ err: error }, 'The database is not ready yet.');
    },
  });
  if (prepared !== undefined) return prepared;
  await connection?.close();
  throw new Error('The service was stopped before its database was ready.');
}

/**
 * Creates collections and indexes where this process may.
 *
 * @throws Error where it may not, and some are missing, or while the database is restored.
 */
async function setUp({ config }: ServiceContext, connection: Connection, plans: readonly IndexPlan[]): Promise<void> {
  await requireNoRestore(connection);
  if (config.common.databaseSetup === 'make') {
    await migrate(connection, plans);
    return;
  }
  const missing = await missingFrom(connection, plans);
  if (missing.length > 0) throw new Error(`Collections and indexes are missing: ${missing.join(', ')}.`);
}

import { setTimeout as pause } from 'node:timers/promises';
import { connectMongo, migrate, persistenceIndexes, type Connection, type IndexPlan } from '@tocsin/persistence';
import type { ServiceContext } from '../context.ts';

const RETRY_MS = 1_000;

/**
 * Opens the service's own database and makes the collections and indexes of `plans` and of the mechanisms. While MongoDB is
 * away it tries again, and the service is not ready; once open, its absence makes the service unready unless told otherwise.
 */
export async function openMongo(
  context: ServiceContext,
  plans: readonly IndexPlan[],
  { neededWhenReady = true }: { readonly neededWhenReady?: boolean } = {},
): Promise<Connection> {
  const { config, health, lifecycle, name } = context;
  const database = `${config.common.databasePrefix}${name.replaceAll('-', '_')}`;
  const connection = await lifecycle.start(
    'mongodb',
    () => connected(context, { uri: config.common.mongoUri, database }, [...persistenceIndexes, ...plans]),
    (open) => open.close(),
  );
  if (neededWhenReady) health.require('mongodb', () => answers(connection));
  return connection;
}

async function answers(connection: Connection): Promise<boolean> {
  await connection.db?.command({ ping: 1 });
  return true;
}

async function connected(
  { lifecycle, logger }: ServiceContext,
  target: { readonly uri: string; readonly database: string },
  plans: readonly IndexPlan[],
): Promise<Connection> {
  for (;;) {
    try {
      const connection = await connectMongo(target);
      await migrate(connection, plans);
      return connection;
    } catch (error) {
      if (lifecycle.stopping) throw error;
      logger.warn({ err: error }, 'MongoDB does not answer yet');
      await pause(RETRY_MS);
    }
  }
}

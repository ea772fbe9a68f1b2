import { connectMongo } from '@tocsin/mongo';
import type { Config } from '../config.ts';

/** Removes the database of a service that a test has started with `config`. */
export async function dropDatabase({ common }: Config): Promise<void> {
  const database = await connectMongo({ uri: common.mongoUri, database: `${common.databasePrefix}alert_ingest` });
  await database.dropDatabase();
  await database.close();
}

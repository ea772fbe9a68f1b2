import { afterAll } from '@jest/globals';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { monitoredUri, testMongo } from '@tocsin/testing';
import { indexPlans } from '../storage/index-plans.ts';

export { mongoDirectory, type MongoDirectory } from './mongo-directory.ts';

const opened: Connection[] = [];

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.dropDatabase().then(() => connection.close())));
});

/** A connection to a database of its own, with every index; both end with the test file. */
export async function openMigrated(): Promise<Connection> {
  const { uri, databasePrefix } = await testMongo();
  const connection = await connectMongo({ uri: monitoredUri(uri), database: `${databasePrefix}directory` });
  opened.push(connection);
  await migrate(connection, [...persistenceIndexes, ...indexPlans]);
  return connection;
}

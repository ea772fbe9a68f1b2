import { afterAll } from '@jest/globals';
import {
  ConfigurationCollection,
  type Connection,
  connectMongo,
  inTransaction,
  migrate,
  persistenceIndexes,
} from '@tocsin/mongo';
import { emptiedDatabase, monitoredUri, testMongo } from '@tocsin/testkit';
import { INDEXES } from '../compose.ts';
import { TEAM } from '../teams/store.ts';
import type { Team } from '../teams/team.ts';
import { USER } from '../users/store.ts';
import type { User } from '../users/user.ts';

import { mongoDirectory, type MongoDirectory } from './mongo-directory.ts';

export { mongoDirectory, type MongoDirectory };

const opened: Connection[] = [];
const others: Connection[] = [];

afterAll(async () => {
  await Promise.all(others.map((connection) => connection.close()));
  await Promise.all(opened.map((connection) => connection.dropDatabase().then(() => connection.close())));
});

/** The stores of another process: on a connection of their own, so their writers do not share a queue. */
export async function anotherProcess({ connection: { name } }: MongoDirectory): Promise<MongoDirectory> {
  const { uri } = await testMongo();
  const connection = await connectMongo({ uri: monitoredUri(uri), database: name });
  others.push(connection);
  return mongoDirectory(connection);
}

/** A connection to a database of its own, with every index; both end with the test file. */
export async function openMigrated(): Promise<Connection> {
  const { uri, databasePrefix } = await testMongo();
  const connection = await connectMongo({ uri: monitoredUri(uri), database: `${databasePrefix}directory` });
  opened.push(connection);
  await migrate(connection, [...persistenceIndexes, ...INDEXES]);
  return connection;
}

const openEmptied = emptiedDatabase(openMigrated);

/** Stores on the one database of the test file, which is empty. */
export const emptyStores = async (): Promise<MongoDirectory> => mongoDirectory(await openEmptied());

/** All users, by id. */
export const storedUsers = (connection: Connection): Promise<readonly User[]> =>
  new ConfigurationCollection<User>(connection, USER).select({}, { sort: { _id: 1 } });

/** Stores many users quickly, and publishes none. */
export const storeUsers = (connection: Connection, users: readonly User[]): Promise<void> =>
  storeMany(connection, new ConfigurationCollection<User>(connection, USER), users);

/** Stores many teams quickly, and publishes none. */
export const storeTeams = (connection: Connection, teams: readonly Team[]): Promise<void> =>
  storeMany(connection, new ConfigurationCollection<Team>(connection, TEAM), teams);

async function storeMany<T extends User | Team>(
  connection: Connection,
  collection: ConfigurationCollection<T>,
  entities: readonly T[],
): Promise<void> {
  for (let start = 0; start < entities.length; start += 500)
    await inTransaction(connection, (session) =>
      collection.write({ put: entities.slice(start, start + 500) }, session),
    );
}

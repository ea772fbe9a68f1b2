import { afterAll } from '@jest/globals';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { emptiedDatabase, monitoredUri, testMongo } from '@tocsin/testing';
import { heartbeatIndexes } from '../storage/heartbeat-documents.ts';

/** Gives the database of this service, empty and migrated, to one test after the other of a file. */
export function useDatabase(): () => Promise<Connection> {
  let opened: Connection | undefined;

  afterAll(async () => {
    await opened?.dropDatabase();
    await opened?.close();
  });

  return emptiedDatabase(async () => {
    const { uri, database } = await testMongo();
    opened = await connectMongo({ uri: monitoredUri(uri), database });
    await migrate(opened, [...persistenceIndexes, ...heartbeatIndexes]);
    return opened;
  });
}

import { afterAll } from '@jest/globals';
import {
  collectionOf,
  connectMongo,
  migrate,
  persistenceIndexes,
  type Announcements,
  type Connection,
} from '@tocsin/mongo';
import { emptiedDatabase, testMongo } from '@tocsin/testkit';
import { INDEXES } from '../compose.ts';
import type { Integration } from '../integrations/integration.ts';
import { INTEGRATION, INTEGRATIONS } from '../integrations/store.ts';

/** Gives the database of this service, empty and migrated, to one test after the other of a file. */
export function useDatabase(): () => Promise<Connection> {
  let opened: Connection | undefined;

  afterAll(async () => {
    await opened?.dropDatabase();
    await opened?.close();
  });

  return emptiedDatabase(async () => {
    opened = await connectMongo(await testMongo());
    await migrate(opened, [...persistenceIndexes, ...INDEXES]);
    return opened;
  });
}

/** Stores integrations without the rest of a write, which thousands of them would take long for. */
export async function storeIntegrations(connection: Connection, integrations: readonly Integration[]): Promise<void> {
  const documents = integrations.map((integration) => INTEGRATION.write?.(integration) ?? integration);
  await collectionOf(connection, INTEGRATIONS).insertMany(documents as never, { ignoreUndefined: true });
}

/** Publishes nothing. */
export const NO_ANNOUNCEMENTS: Announcements = {
  addStates: () => Promise.resolve(),
  addTombstone: () => Promise.resolve(),
  versionOfNew: (_session, _id, first) => Promise.resolve(first),
  flush: () => Promise.resolve(),
};

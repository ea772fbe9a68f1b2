import { afterAll } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { collectionOf, connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { emptiedDatabase, monitoredUri, testMongo } from '@tocsin/testkit';
import { INDEXES } from '../compose.ts';

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
    await migrate(opened, [...persistenceIndexes, ...INDEXES]);
    return opened;
  });
}

/** The commands of the outbox, in the order in which it is relayed. */
export async function waitingCommands(connection: Connection): Promise<readonly AlertCommand[]> {
  const rows = collectionOf<{ readonly messages: string }>(connection, 'outbox').find({}).sort({ seq: 1 });
  return (await rows.toArray()).flatMap(({ messages }) => JSON.parse(messages) as AlertCommand[]);
}

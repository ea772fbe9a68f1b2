import { afterAll } from '@jest/globals';
import { AlertEvents, WebhookCommands, type AlertEvent } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  connectMongo,
  migrate,
  Outbox,
  persistenceIndexes,
  type Connection,
} from '@tocsin/mongo';
import { emptiedDatabase, testMongo } from '@tocsin/testkit';
import { openWith, type AlertStorage, type OpenStorage } from './open-storage.ts';
import { ledgerProcessor } from './ledger-processor.ts';
import { indexPlans, OPEN_ALIAS } from '../database.ts';
import { AlertStore } from '../alerts/store.ts';
import { AlertReader } from '../alerts/reader-store.ts';
import { DecisionStore } from '../alert-log/store.ts';
import { RequestStatusStore } from '../requests/store.ts';
import { RetentionStore } from '../alerts/retention-store.ts';
import { TinyIdStore } from '../alerts/tiny-id-store.ts';

const quiet = { warn: () => undefined, error: () => undefined };

/** A new database on the real MongoDB, with the service's indexes. */
export async function openDatabase(): Promise<Connection> {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...indexPlans]);
  return connection;
}

/** Gives the database of this service, empty and migrated, to one test after the other of a file. */
export function useDatabase(): () => Promise<Connection> {
  let opened: Connection | undefined;

  afterAll(async () => {
    await opened?.dropDatabase();
    await opened?.close();
  });

  return emptiedDatabase(async () => (opened = await openDatabase()));
}

/** A ledger on `connection`, with what its outbox relays. */
export function mongoLedger(connection: Connection): MongoLedger {
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [AlertEvents, WebhookCommands], logger: quiet });
  const ledger = new AlertStore({ connection, outbox, dueWork: { wakeAfterCommit: () => undefined } });
  return { ledger, outbox, publisher };
}

export interface MongoLedger {
  readonly ledger: AlertStore;
  readonly outbox: Outbox;
  readonly publisher: RecordingPublisher;
}

/** The service's storage on `connection`; a recording publisher keeps what its outbox relays. */
export function mongoStorage(connection: Connection, opened = mongoLedger(connection)): AlertStorage {
  const { ledger, outbox, publisher } = opened;
  return {
    ledger: ledgerProcessor(ledger, new CheckpointTransactions({ connection, racingIndexes: [OPEN_ALIAS] })),
    reader: new AlertReader(connection),
    statuses: new RequestStatusStore(connection),
    decisionLog: new DecisionStore(connection),
    retained: new RetentionStore(connection),
    tinyIds: new TinyIdStore(connection),
    events: async () => {
      await outbox.flush();
      return publisher.published.map(({ message }) => message as AlertEvent);
    },
  };
}

/** Gives the service's storage on an empty database to one test after the other of a file. */
export function useStorage(): () => Promise<OpenStorage> {
  const database = useDatabase();
  return () => openWith(async () => mongoStorage(await database()));
}

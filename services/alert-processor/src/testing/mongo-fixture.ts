import { AlertEvents, WebhookCommands, type AlertEvent } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import type { AlertStorage } from './open-storage.ts';
import { indexPlans } from '../storage/collections.ts';
import { MongoAlertLedger } from '../storage/mongo-alert-ledger.ts';
import { MongoAlertReader } from '../storage/mongo-alert-reader.ts';
import { MongoDecisionLog } from '../storage/mongo-decision-log.ts';
import { MongoRequestStatuses } from '../storage/mongo-request-statuses.ts';
import { MongoRetainedRows } from '../storage/mongo-retained-rows.ts';
import { MongoTinyIds } from '../storage/mongo-tiny-ids.ts';

const quiet = { warn: () => undefined, error: () => undefined };

/** A new database on the real MongoDB, with the service's indexes. */
export async function openDatabase(): Promise<Connection> {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...indexPlans]);
  return connection;
}

/** The service's storage on `connection`; a recording publisher keeps what its outbox relays. */
export function mongoStorage(connection: Connection): AlertStorage {
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [AlertEvents, WebhookCommands], logger: quiet });
  return {
    ledger: new MongoAlertLedger({ connection, outbox, dueWork: { written: () => undefined } }),
    reader: new MongoAlertReader(connection),
    statuses: new MongoRequestStatuses(connection),
    decisionLog: new MongoDecisionLog(connection),
    retained: new MongoRetainedRows(connection),
    tinyIds: new MongoTinyIds(connection),
    events: async () => {
      await outbox.flush();
      return publisher.published.map(({ message }) => message as AlertEvent);
    },
  };
}

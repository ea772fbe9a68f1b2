import { afterAll } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Escalations, Schedules, type ScheduleState } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, persistenceIndexes, StateOutbox, statesOf, type Connection } from '@tocsin/persistence';
import { emptiedDatabase, testMongo } from '@tocsin/testing';
import { configurationIndexes, ESCALATIONS, SCHEDULES } from '../storage/configuration-kinds.ts';
import { MongoConfigurationStore } from '../storage/mongo-configuration-store.ts';

const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const logger = { warn: () => undefined, error: () => undefined };

/** Gives the database of this service's configuration, empty and migrated, to one test after the other of a file. */
export function useDatabase(): () => Promise<Connection> {
  let opened: Connection | undefined;

  afterAll(async () => {
    await opened?.dropDatabase();
    await opened?.close();
  });

  return emptiedDatabase(async () => {
    const { uri, database } = await testMongo();
    opened = await connectMongo({ uri, database });
    await migrate(opened, [...persistenceIndexes, ...configurationIndexes]);
    return opened;
  });
}

/** A store as one replica of the service has it, and what it announces. */
interface StoreReplica {
  readonly store: MongoConfigurationStore;
  readonly publisher: RecordingPublisher;
  readonly announcements: { readonly schedules: StateOutbox<ScheduleState> };
}

export function replicaOn(connection: Connection): StoreReplica {
  const publisher = new RecordingPublisher();
  const common = { connection, publisher, logger, clock };
  const announcements = {
    schedules: new StateOutbox({ ...common, topic: Schedules, ...statesOf(connection, SCHEDULES) }),
    escalations: new StateOutbox({ ...common, topic: Escalations, ...statesOf(connection, ESCALATIONS) }),
  };
  return { store: new MongoConfigurationStore(connection, announcements), publisher, announcements };
}

import { afterAll } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Escalations, Schedules, type ScheduleState } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, persistenceIndexes, StateOutbox, type Connection } from '@tocsin/persistence';
import { emptiedDatabase, testMongo } from '@tocsin/testing';
import { configurationIndexes } from '../storage/index-plans.ts';
import { MongoConfigurationStore } from '../storage/mongo-configuration-store.ts';
import { mongoEscalations } from '../storage/mongo-escalations.ts';
import { mongoForwardingRules } from '../storage/mongo-forwarding-rules.ts';
import { mongoSchedules } from '../storage/mongo-schedules.ts';

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
  readonly schedules: ReturnType<typeof mongoSchedules>;
}

export function replicaOn(connection: Connection): StoreReplica {
  const publisher = new RecordingPublisher();
  const own = connection.useDb(connection.name, { useCache: false });
  const schedules = mongoSchedules(own);
  const escalations = mongoEscalations(own);
  const common = { connection: own, publisher, logger, clock };
  const announcements = {
    schedules: new StateOutbox({ ...common, topic: Schedules, ...schedules.relayed }),
    escalations: new StateOutbox({ ...common, topic: Escalations, ...escalations.relayed }),
  };
  const catalogues = { schedules, escalations, forwardingRules: mongoForwardingRules(own) };
  const store = new MongoConfigurationStore({ connection: own, ...catalogues, announcements });
  return { store, publisher, announcements, schedules };
}

import { afterAll } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Decisions, Escalations, Schedules, ShiftNotices, type ScheduleState } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import {
  connectMongo,
  migrate,
  Outbox,
  persistenceIndexes,
  StateOutbox,
  statesOf,
  type Connection,
} from '@tocsin/persistence';
import { emptiedDatabase, testMongo } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { configurationIndexes, ESCALATIONS, SCHEDULES } from '../storage/configuration-kinds.ts';
import { MongoConfigurationStore } from '../storage/mongo-configuration-store.ts';
import { MongoShiftTimers, SHIFT_TIMERS, type ShiftDue } from '../storage/shift-notices/mongo-shift-timers.ts';

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
    await migrate(opened, [...persistenceIndexes, ...configurationIndexes, ...timerIndexes(SHIFT_TIMERS)]);
    return opened;
  });
}

/** A store as one replica of the service has it, and what it announces. */
interface StoreReplica {
  readonly store: MongoConfigurationStore;
  readonly publisher: RecordingPublisher;
  /** Of the schedules. They do not fire. */
  readonly timers: Pick<Timers<ShiftDue['payload']>, 'due'>;
  readonly announcements: { readonly schedules: StateOutbox<ScheduleState> };
}

export function replicaOn(connection: Connection): StoreReplica {
  const publisher = new RecordingPublisher();
  const common = { connection, publisher, logger, clock };
  const announcements = {
    schedules: new StateOutbox({ ...common, topic: Schedules, ...statesOf(connection, SCHEDULES) }),
    escalations: new StateOutbox({ ...common, topic: Escalations, ...statesOf(connection, ESCALATIONS) }),
  };
  const timers = new Timers<ShiftDue['payload']>({
    ...common,
    collection: SHIFT_TIMERS,
    fire: () => Promise.reject(new Error('these timers were never started')),
  });
  const outbox = new Outbox({ ...common, topics: [ShiftNotices, Decisions] });
  const shifts = new MongoShiftTimers({ connection, outbox, timers, clock });
  return { store: new MongoConfigurationStore(connection, announcements, shifts), publisher, announcements, timers };
}

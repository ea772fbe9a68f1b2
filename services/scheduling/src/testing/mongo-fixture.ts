import { afterAll } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Decisions, Escalations, Schedules, ShiftNotices } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import {
  connectMongo,
  dueIndex,
  DueWork,
  EntityStates,
  migrate,
  Outbox,
  persistenceIndexes,
  statesOf,
  type Connection,
} from '@tocsin/persistence';
import { emptiedDatabase, testMongo } from '@tocsin/testing';
import { configurationIndexes, ESCALATIONS, SCHEDULES } from '../storage/configuration-kinds.ts';
import { MongoConfigurationStore } from '../storage/mongo-configuration-store.ts';
import {
  MongoShiftPositions,
  SHIFT_POSITIONS,
  shiftDueWork,
  type PreparedShifts,
  type ShiftPositionDocument,
} from '../storage/shift-notices/mongo-shift-positions.ts';

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
    await migrate(opened, [...persistenceIndexes, ...configurationIndexes, dueIndex(SHIFT_POSITIONS)]);
    return opened;
  });
}

/** A store as one replica of the service has it, and what it announces. */
interface StoreReplica {
  readonly store: MongoConfigurationStore;
  readonly publisher: RecordingPublisher;
  /** Of shifts, which no task does. */
  readonly dueShifts: Pick<DueWork<ShiftPositionDocument>, 'countDue'>;
  readonly outbox: Outbox;
}

export function replicaOn(connection: Connection): StoreReplica {
  const publisher = new RecordingPublisher();
  const common = { connection, publisher, logger, clock };
  const outbox = new Outbox({ ...common, topics: [ShiftNotices, Decisions, Schedules, Escalations] });
  const announcements = {
    schedules: new EntityStates({ ...common, outbox, topic: Schedules, ...statesOf(connection, SCHEDULES) }),
    escalations: new EntityStates({ ...common, outbox, topic: Escalations, ...statesOf(connection, ESCALATIONS) }),
  };
  const dueShifts = new DueWork<ShiftPositionDocument, PreparedShifts>({
    ...common,
    wake: () => undefined,
    ...shiftDueWork(() => {
      throw new Error('this work was never started');
    }),
  });
  const positions = new MongoShiftPositions({ connection, outbox, dueWork: dueShifts, clock });
  const store = new MongoConfigurationStore(connection, announcements, positions);
  return { store, publisher, outbox, dueShifts };
}

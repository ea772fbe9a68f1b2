import { afterAll } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Decisions, Escalations, Schedules, ShiftNotices, type TeamState, type UserState } from '@tocsin/contracts';
import { MemoryReplica, RecordingPublisher } from '@tocsin/messaging';
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
import { Snapshots } from '../application/loaded-snapshot.ts';
import { ShiftNoticeResolver } from '../application/shift-notices/shift-notice-resolver.ts';
import { configurationIndexes, ESCALATIONS, SCHEDULES } from '../storage/configuration-kinds.ts';
import { MongoConfigurationStore } from '../storage/mongo-configuration-store.ts';
import {
  MongoShiftNotices,
  SHIFT_NOTICES,
  shiftWorkOptions,
  type PreparedNotices,
  type ShiftNoticesDocument,
} from '../storage/shift-notices/mongo-shift-notices.ts';

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
    await migrate(opened, [...persistenceIndexes, ...configurationIndexes, dueIndex(SHIFT_NOTICES)]);
    return opened;
  });
}

/** A store as one replica of the service has it, and what it announces. */
interface StoreReplica {
  readonly store: MongoConfigurationStore;
  readonly publisher: RecordingPublisher;
  /** The work of notices of shifts, which no task does here. */
  readonly shiftWork: DueWork<ShiftNoticesDocument, PreparedNotices>;
  readonly resolver: ShiftNoticeResolver;
  readonly outbox: Outbox;
}

/** What surrounds a replica of the service. */
interface Surroundings {
  readonly clock?: ManualClock;
  readonly users?: MemoryReplica<UserState>;
}

export function replicaOn(
  connection: Connection,
  {
    clock = new ManualClock(new Date('2026-01-01T00:00:00Z')),
    users = new MemoryReplica<UserState>(),
  }: Surroundings = {},
): StoreReplica {
  const publisher = new RecordingPublisher();
  const common = { connection, publisher, logger, clock };
  const outbox = new Outbox({ ...common, topics: [ShiftNotices, Decisions, Schedules, Escalations] });
  const announcements = {
    schedules: new EntityStates({ ...common, outbox, topic: Schedules, ...statesOf(connection, SCHEDULES) }),
    escalations: new EntityStates({ ...common, outbox, topic: Escalations, ...statesOf(connection, ESCALATIONS) }),
  };
  const shiftWork: StoreReplica['shiftWork'] = new DueWork<ShiftNoticesDocument, PreparedNotices>({
    ...common,
    wake: () => undefined,
    ...shiftWorkOptions(() => ({ resolver, store: shiftNotices })),
  });
  const shiftNotices = new MongoShiftNotices({ connection, outbox, dueWork: shiftWork, clock });
  const store = new MongoConfigurationStore(connection, announcements, shiftNotices);
  const resolver = new ShiftNoticeResolver(new Snapshots({ store, users, teams: new MemoryReplica<TeamState>() }));
  return { store, publisher, outbox, resolver, shiftWork };
}

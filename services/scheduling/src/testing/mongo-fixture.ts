import { afterAll } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { Decisions, Escalations, Schedules, ShiftNotices, type TeamState, type UserState } from '@tocsin/events';
import { MemoryReplica, RecordingPublisher } from '@tocsin/kafka';
import {
  type Connection,
  collectionOf,
  connectMongo,
  dueIndex,
  DueWork,
  EntityStates,
  migrate,
  Outbox,
  persistenceIndexes,
  statesOf,
} from '@tocsin/mongo';
import { emptiedDatabase, testMongo } from '@tocsin/testkit';
import { Snapshots } from '../configuration/snapshot-operations.ts';
import { calendarLinkIndexes } from '../calendar-links/store.ts';
import { configurationIndexes, ESCALATIONS, ConfigurationStore, SCHEDULES } from '../configuration/store.ts';
import { readinessMailIndexes } from '../readiness-mails/store.ts';
import { ShiftNoticeResolver } from '../shift-notices/operations.ts';
import {
  ShiftNoticeStore,
  type PreparedNotices,
  SHIFT_NOTICES,
  type ShiftNoticesDocument,
  shiftWorkOptions,
} from '../shift-notices/store.ts';

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
    await migrate(opened, [
      ...persistenceIndexes,
      ...configurationIndexes,
      ...calendarLinkIndexes,
      dueIndex(SHIFT_NOTICES),
      ...readinessMailIndexes,
    ]);
    return opened;
  });
}

/** The store of one replica of the service, and its announcements. */
interface StoreReplica {
  readonly store: ConfigurationStore;
  readonly publisher: RecordingPublisher;
  /** The work of notices of shifts, which no task does here. */
  readonly shiftWork: DueWork<ShiftNoticesDocument, PreparedNotices>;
  readonly resolver: ShiftNoticeResolver;
  readonly outbox: Outbox;
}

/** Parts of a replica of the service that tests may set. */
interface ReplicaParts {
  readonly clock?: ManualClock;
  readonly users?: MemoryReplica<UserState>;
}

export function replicaOn(
  connection: Connection,
  {
    clock = new ManualClock(new Date('2026-01-01T00:00:00Z')),
    users = new MemoryReplica<UserState>(),
  }: ReplicaParts = {},
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
  const shiftNotices = new ShiftNoticeStore({ connection, outbox, dueWork: shiftWork, clock });
  const store = new ConfigurationStore(connection, announcements, shiftNotices);
  const resolver = new ShiftNoticeResolver(new Snapshots({ store, users, teams: new MemoryReplica<TeamState>() }));
  return { store, publisher, outbox, resolver, shiftWork };
}

/** Stores entities by collection without a change of the store, which thousands of them would take long for. */
export async function storeConfiguration(
  connection: Connection,
  entities: Readonly<Record<string, readonly { readonly id: string }[]>>,
): Promise<void> {
  for (const [collection, items] of Object.entries(entities)) {
    const documents = items.map(({ id: _id, ...rest }) => ({ _id, ...rest }));
    await collectionOf<{ readonly _id: string }>(connection, collection).insertMany(documents, {
      ignoreUndefined: true,
    });
  }
}

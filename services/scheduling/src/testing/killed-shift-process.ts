/**
 * A process that publishes the notices of shifts of one schedule that are due, and kills itself at `dieAt`. Its argument is a
 * {@link KilledShiftProcess} in JSON. It writes what it publishes to its parent, one line for each batch.
 */
import { ManualClock } from '@tocsin/clock';
import { Decisions, ShiftNotices, type TeamState, type UserState } from '@tocsin/contracts';
import { MemoryReplica } from '@tocsin/messaging';
import { connectMongo, DueWork, inTransaction, Outbox, type Connection, type OutboxOptions } from '@tocsin/persistence';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testing';
import { Snapshots } from '../application/loaded-snapshot.ts';
import { ShiftNoticeResolver } from '../application/shift-notices/shift-notice-resolver.ts';
import {
  MongoShiftNotices,
  shiftWorkOptions,
  type PreparedNotices,
  type ShiftNoticesDocument,
} from '../storage/shift-notices/mongo-shift-notices.ts';
import { OUTBOX_AT_ONCE, publisherToParent, silent } from './killed-process.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';
import { rotationOf, scheduleOf } from './on-call-samples.ts';
import { toldUser } from './shift-samples.ts';

export interface KilledShiftProcess {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  readonly dieAt?: PointOfDeath;
}

export interface ShiftProcessParts {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly now: Date;
}

export interface OpenShiftProcess {
  readonly outbox: Outbox;
  /** Makes the schedule due now, as a change of it does. */
  readonly touch: () => Promise<void>;
  /** Publishes what is due now. */
  readonly publishDue: () => Promise<void>;
}

/** Ada and Bob are on call alternately from noon to noon. Their rules ask for a notice a quarter of an hour before. */
async function configured(now: Date) {
  const clock = new ManualClock(now);
  const store = new MemoryConfigurationStore();
  const rotation = rotationOf(
    ['ada', 'bob'].map((id) => ({ type: 'user', id })),
    { startAt: new Date('2026-01-01T12:00:00Z') },
  );
  await store.change(() => ({ schedules: { put: [scheduleOf('ops', [rotation])] }, answer: undefined }));
  const users = new MemoryReplica<UserState>();
  for (const id of ['ada', 'bob']) users.put(id, toldUser(id, ['15-minutes-ago']));
  return { clock, snapshots: new Snapshots({ store, users, teams: new MemoryReplica<TeamState>() }) };
}

/** What the service composes to publish notices of shifts. It does nothing until it is called. */
export async function openShiftProcess({ connection, now, publisher }: ShiftProcessParts): Promise<OpenShiftProcess> {
  const { clock, snapshots } = await configured(now);
  const topics = [ShiftNotices, Decisions];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...OUTBOX_AT_ONCE });
  const dueWork: DueWork<ShiftNoticesDocument, PreparedNotices> = new DueWork<ShiftNoticesDocument, PreparedNotices>({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...shiftWorkOptions(() => ({ resolver, store })),
  });
  const store = new MongoShiftNotices({ connection, outbox, dueWork, clock });
  const resolver = new ShiftNoticeResolver(snapshots);
  const touch = () => inTransaction(connection, (session) => store.touched({ kept: ['ops'], removed: [] }, session));
  const publishDue = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  return { outbox, publishDue, touch };
}

async function publishUntilDeath({ database, mongoUri, now, ...killed }: KilledShiftProcess): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  if (killed.dieAt !== undefined) dieAt(connection.getClient(), killed.dieAt);
  const { outbox, publishDue } = await openShiftProcess({
    connection,
    publisher: publisherToParent,
    now: new Date(now),
  });
  outbox.start();
  await publishDue();
  await outbox.stop();
  await connection.close();
}

const [, script = '', argument] = process.argv;
if (script.endsWith('killed-shift-process.ts') && argument !== undefined)
  await publishUntilDeath(JSON.parse(argument) as KilledShiftProcess);

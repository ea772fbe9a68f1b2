/**
 * A process that publishes the notices of shifts of one schedule that are due, and kills itself at `dieAt`. Its argument is a
 * {@link KilledShiftProcess} in JSON. It writes what it publishes to its parent, one line for each batch.
 */
import { ManualClock } from '@tocsin/core';
import { Decisions, ShiftNotices, type TeamState, type UserState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { connectMongo, DueWork, inTransaction, Outbox, type Connection, type OutboxOptions } from '@tocsin/mongo';
import { dieAt, monitoredUri, publishAll, type PointOfDeath } from '@tocsin/testkit';
import { Snapshots } from '../configuration/snapshot-operations.ts';
import { ShiftNoticeResolver } from '../shift-notices/operations.ts';
import {
  ShiftNoticeStore,
  shiftWorkOptions,
  type PreparedNotices,
  type ShiftNoticesDocument,
} from '../shift-notices/store.ts';
import { OUTBOX_AT_ONCE, publisherToParent, silent } from './killed-process.ts';
import { SampleConfiguration } from './sample-configuration.ts';
import { rotationOf, scheduleOf } from './on-call-samples.ts';
import { notifiedUser } from './shift-samples.ts';

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
  /** Publishes the due notices now. */
  readonly publishDue: () => Promise<void>;
}

/** Ada and Bob are on call alternately from noon to noon. Their rules ask for a notice a quarter of an hour before. */
function configured(now: Date) {
  const clock = new ManualClock(now);
  const store = new SampleConfiguration();
  const rotation = rotationOf(
    ['ada', 'bob'].map((id) => ({ type: 'user', id })),
    { startAt: new Date('2026-01-01T12:00:00Z') },
  );
  store.change({ schedules: { put: [scheduleOf('ops', [rotation])] } });
  const users = new MemoryReplica<UserState>();
  for (const id of ['ada', 'bob']) users.put(id, notifiedUser(id, ['15-minutes-ago']));
  return { clock, snapshots: new Snapshots({ store, users, teams: new MemoryReplica<TeamState>() }) };
}

/** The parts of the service that publish notices of shifts, without their tasks. */
export function openShiftProcess({ connection, now, publisher }: ShiftProcessParts): OpenShiftProcess {
  const { clock, snapshots } = configured(now);
  const topics = [ShiftNotices, Decisions];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...OUTBOX_AT_ONCE });
  const dueWork: DueWork<ShiftNoticesDocument, PreparedNotices> = new DueWork<ShiftNoticesDocument, PreparedNotices>({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...shiftWorkOptions(() => ({ resolver, store })),
  });
  const store = new ShiftNoticeStore({ connection, outbox, dueWork, clock });
  const resolver = new ShiftNoticeResolver(snapshots);
  const touch = () => inTransaction(connection, (session) => store.makeDue({ kept: ['ops'], removed: [] }, session));
  const publishDue = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  return { outbox, publishDue, touch };
}

async function publishUntilDeath({ database, mongoUri, now, ...killed }: KilledShiftProcess): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  if (killed.dieAt !== undefined) dieAt(connection.getClient(), killed.dieAt);
  const { outbox, publishDue } = openShiftProcess({
    connection,
    publisher: publisherToParent,
    now: new Date(now),
  });
  outbox.start();
  await publishDue();
  await publishAll(outbox);
  await connection.close();
}

const [, script = '', argument] = process.argv;
if (script.endsWith('killed-shift-process.ts') && argument !== undefined)
  await publishUntilDeath(JSON.parse(argument) as KilledShiftProcess);

/**
 * A process that publishes what is due of the shifts of one schedule, and kills itself at the point that it is told, if any. Its one
 * argument is a {@link KilledShiftTeller} in JSON. It writes what it publishes to its parent, one line for each lot.
 */
import { ManualClock } from '@tocsin/clock';
import { Decisions, ShiftNotices, type TeamState, type UserState } from '@tocsin/contracts';
import { MemoryReplica } from '@tocsin/messaging';
import { connectMongo, DueWork, inTransaction, Outbox, type Connection, type OutboxOptions } from '@tocsin/persistence';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testing';
import { Snapshots } from '../application/loaded-snapshot.ts';
import { ShiftTeller } from '../application/shift-notices/shift-teller.ts';
import {
  MongoShiftPositions,
  shiftDueWork,
  type PreparedShifts,
  type ShiftPositionDocument,
} from '../storage/shift-notices/mongo-shift-positions.ts';
import { OUTBOX_AT_ONCE, publisherToParent, silent } from './killed-process.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';
import { rotationOf, scheduleOf } from './on-call-samples.ts';
import { toldUser } from './shift-samples.ts';

export interface KilledShiftTeller {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  readonly dieAt?: PointOfDeath;
}

export interface ShiftTellerParts {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly now: Date;
}

export interface OpenShiftTeller {
  readonly outbox: Outbox;
  /** Makes the schedule due now, as a change of it does. */
  readonly touch: () => Promise<void>;
  /** Publishes what is due now. */
  readonly publishDue: () => Promise<void>;
}

/** Ada and Bob take turns from noon to noon, and want to be told a quarter of an hour before. */
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

/** The teller as the service has it, which does nothing until it is asked. */
export async function openShiftTeller({ connection, now, publisher }: ShiftTellerParts): Promise<OpenShiftTeller> {
  const { clock, snapshots } = await configured(now);
  const topics = [ShiftNotices, Decisions];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...OUTBOX_AT_ONCE });
  const dueWork: DueWork<ShiftPositionDocument, PreparedShifts> = new DueWork<ShiftPositionDocument, PreparedShifts>({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...shiftDueWork(() => ({ teller, positions })),
  });
  const positions = new MongoShiftPositions({ connection, outbox, dueWork, clock });
  const teller = new ShiftTeller(snapshots);
  const touch = () =>
    inTransaction(connection, (session) => positions.touched({ kept: ['ops'], removed: [] }, session));
  const publishDue = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  return { outbox, publishDue, touch };
}

async function publishUntilDeath({ database, mongoUri, now, ...told }: KilledShiftTeller): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  if (told.dieAt !== undefined) dieAt(connection.getClient(), told.dieAt);
  const { outbox, publishDue } = await openShiftTeller({
    connection,
    publisher: publisherToParent,
    now: new Date(now),
  });
  outbox.start();
  await publishDue();
  await outbox.stop();
  await connection.close();
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-shift-teller.ts') && told !== undefined)
  await publishUntilDeath(JSON.parse(told) as KilledShiftTeller);

/**
 * A process that orders the weekly mails of readiness that are due, and kills itself at `dieAt`. Its argument is a
 * {@link KilledMailProcess} in JSON. It writes what it publishes to its parent, one line for each batch.
 */
import { ManualClock } from '@tocsin/core';
import { NoticeCommands, type TeamState, type UserState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { connectMongo, DueWork, Outbox, type Connection, type OutboxOptions } from '@tocsin/mongo';
import { dieAt, monitoredUri, publishAll, type PointOfDeath } from '@tocsin/testkit';
import { Snapshots } from '../configuration/snapshot-operations.ts';
import { ReadinessReports } from '../readiness/operations.ts';
import { ReadinessMailResolver, type ResolvedMail } from '../readiness-mails/operations.ts';
import { type ReadinessMailDocument, ReadinessMailStore, readinessMailWorkOptions } from '../readiness-mails/store.ts';
import { OUTBOX_AT_ONCE, publisherToParent, silent } from './killed-process.ts';
import { scheduleOf, teamOf, userOf } from './on-call-samples.ts';
import { SampleConfiguration } from './sample-configuration.ts';

export interface KilledMailProcess {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  readonly dieAt: PointOfDeath;
}

export interface MailProcessParts {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly clock: ManualClock;
}

export interface OpenMailProcess {
  readonly users: MemoryReplica<UserState>;
  readonly teams: MemoryReplica<TeamState>;
  readonly store: ReadinessMailStore;
  readonly outbox: Outbox;
  /** Orders the mails that are due now. */
  readonly sendDue: () => Promise<void>;
}

/**
 * The parts of the service that order the mails, without their tasks. Carl is an admin of the account, Ada of team `ops`, Bob is its
 * member. The team owns an empty schedule, and no team owns another.
 */
export function openMailProcess({ clock, connection, publisher }: MailProcessParts): OpenMailProcess {
  const configuration = new SampleConfiguration();
  configuration.change({
    schedules: { put: [scheduleOf('nights', [], { ownerTeamId: 'ops' }), scheduleOf('account', [])] },
  });
  const [users, teams] = [new MemoryReplica<UserState>(), new MemoryReplica<TeamState>()];
  for (const id of ['ada', 'bob']) users.put(id, userOf(id));
  users.put('carl', { ...userOf('carl'), role: 'admin' });
  teams.put('ops', teamOf('ops', { ada: 'admin', bob: 'user' }, { type: 'none' }));
  const outbox = new Outbox({ connection, publisher, topics: [NoticeCommands], logger: silent, ...OUTBOX_AT_ONCE });
  const dueWork: DueWork<ReadinessMailDocument, readonly ResolvedMail[]> = new DueWork<
    ReadinessMailDocument,
    readonly ResolvedMail[]
  >({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...readinessMailWorkOptions(() => ({ resolver, store })),
  });
  const store = new ReadinessMailStore({ connection, outbox, dueWork });
  const snapshots = new Snapshots({ store: configuration, users, teams });
  const reports = new ReadinessReports({
    snapshots,
    users,
    teams,
    clock,
    others: () => Promise.resolve({ findings: [], incompleteServices: [] }),
  });
  const resolver = new ReadinessMailResolver({ reports, users, teams });
  return {
    users,
    teams,
    store,
    outbox,
    sendDue: async (): Promise<void> => {
      await dueWork.activate(new AbortController().signal);
    },
  };
}

async function sendUntilDeath({ database, mongoUri, now, ...killed }: KilledMailProcess): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), killed.dieAt);
  const clock = new ManualClock(new Date(now));
  const { outbox, sendDue } = openMailProcess({ clock, connection, publisher: publisherToParent });
  outbox.start();
  await sendDue();
  await publishAll(outbox);
  await connection.close();
}

const [, script = '', argument] = process.argv;
if (script.endsWith('killed-mail-process.ts') && argument !== undefined)
  await sendUntilDeath(JSON.parse(argument) as KilledMailProcess);

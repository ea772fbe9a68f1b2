import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertCommand, AlertEvent } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { deathOf, eventually, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { nextDueAt } from './due.ts';
import type { LogEntry } from '../alert-log/entry.ts';
import { acknowledge, byAlias, close, create, order, pagingCreate } from '../testing/commands-samples.ts';
import { openDueStage, type DueStage } from '../testing/due-stage.ts';
import {
  after,
  at,
  closedAfter,
  deduplicated,
  delayedBy,
  live,
  minutes,
  restartedEvery,
  type Step,
} from '../testing/flow-samples.ts';
import type { KilledDueAlerts } from '../testing/killed-due-alerts.ts';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { context } from '../testing/open-storage.ts';
import { AT_ONCE } from '../policies/policy-result.ts';
import type { AlertDocument } from './document.ts';
import { ALERTS } from '../database.ts';
import { AlertReader } from './reader-store.ts';

const SCRIPT = fileURLToPath(new URL('../testing/killed-due-alerts.ts', import.meta.url));
const DISK = byAlias('disk');
const PLAN = { ...restartedEvery(10, 3), ...closedAfter(25) };

let connection: Connection;
let publisher: RecordingPublisher;
/** Where the log of commands ends. */
let end: number;

beforeEach(async () => {
  connection = await openDatabase();
  publisher = new RecordingPublisher();
  end = 0;
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const open = (minute: number): DueStage =>
  openDueStage({ connection, publisher, now: at(minute), log: () => ({ start: 0, end }) });

/** Processes commands as soon as they are accepted. */
async function apply(stage: DueStage, commands: readonly AlertCommand[], plan = {}): Promise<void> {
  expect(await stage.apply(end, commands, plan)).toEqual({ outcome: 'done' });
  end += commands.length;
}

const stored = async (): Promise<readonly AlertDocument[]> =>
  collectionOf<AlertDocument>(connection, ALERTS).find().sort({ tinyId: 1 }).toArray();

const reader = () => new AlertReader(connection);

const logOf = (alertId: string): Promise<readonly LogEntry[]> =>
  reader().logs({ alertId, order: 'asc', after: undefined, limit: 100 });

/** The events that were published, each once, in the order of their versions. */
async function events(earlier: readonly AlertEvent[] = []): Promise<readonly AlertEvent[]> {
  const { outbox } = open(0);
  outbox.start();
  await eventually(async () => {
    expect(await outbox.pending()).toBe(0);
  });
  await outbox.stop();
  const all = [...earlier, ...publisher.published.map(({ message }) => message as AlertEvent)];
  return [...new Map(all.map((event) => [`${event.alertId}/${String(event.version)}`, event])).values()].toSorted(
    (a, b) => a.version - b.version,
  );
}

/** Does the same where nothing goes wrong. */
function ideal(plan: object, ...steps: readonly Step[]) {
  const [first] = steps as [AlertCommand];
  const policyResults = new Map([[first.requestId, { flow: { ...AT_ONCE, ...plan }, entry: undefined }]]);
  return live(steps, { ...context, processedAt: at(0), policyResults });
}

describe('an alert in the database', () => {
  it('has its next due time after each write, and none without a scheduled action', async () => {
    const stage = open(0);
    const due = async () => (await stored()).map((alert) => alert.nextDueAt ?? 'none');
    await apply(stage, [create('disk'), order(DISK, { kind: 'snooze', endTime: after(60) })]);
    expect(await due()).toEqual([at(60)]);
    await apply(stage, [order(DISK, { kind: 'snooze', endTime: after(90) }), create('disk')]);
    expect(await due()).toEqual([at(90)]);
    await apply(stage, [order(DISK, { kind: 'acknowledge' })]);
    expect(await due()).toEqual(['none']);
    expect('nextDueAt' in ((await stored())[0] ?? {})).toBe(false);
    await apply(stage, [pagingCreate('fan')], PLAN);
    expect(await due()).toEqual(['none', at(10)]);
    await apply(stage, [close(byAlias('fan'))]);
    expect(await due()).toEqual(['none', 'none']);
  });

  it('keeps the plan of policies, and is read back unchanged', async () => {
    const stage = open(0);
    const plan = { ...closedAfter(60), ...restartedEvery(10, 3), hold: delayedBy(30) };
    await apply(stage, [pagingCreate('disk')], plan);
    await apply(stage, [pagingCreate('fan'), create('fan', { at: after(1) })], { hold: deduplicated(3, minutes(5)) });
    expect(await reader().find(DISK)).toMatchObject({
      notifications: { kind: 'delayed', until: after(30) },
      hold: { kind: 'delay', policy: '[Nights]', until: at(30), isOver: false },
      autoClose: { policy: '[Tidy]', dueAt: at(60) },
      autoRestart: { policy: '[Insist]', everyMs: minutes(10), times: 3, done: 0, since: at(0) },
    });
    expect(await reader().find(byAlias('fan'))).toMatchObject({
      count: 2,
      notifications: { kind: 'delayed' },
      hold: { count: 3, withinMs: minutes(5), occurrences: [at(0), at(1)], isOver: false },
    });
    await apply(stage, [create('fan', { at: after(2) })]);
    expect(await reader().find(byAlias('fan'))).toMatchObject({ count: 3, cycle: 2, hold: undefined });
  });

  it('does the due work with its log and its event, and looks responders up again', async () => {
    const stage = open(0);
    const unavailable = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'unavailable' } });
    const command = pagingCreate('disk');
    await apply(stage, [command, unavailable], { hold: delayedBy(30) });
    for (const minute of [1, 30]) {
      stage.clock.moveTo(at(minute));
      await stage.activate();
    }
    expect((await events()).map(({ facts, state }) => [facts[0]?.kind, state.cycle])).toEqual([
      ['created', 1],
      ['updated', 1],
      [undefined, 1],
      [undefined, 1],
      ['released', 2],
    ]);
    expect((await logOf(command.alert.alertId)).at(-1)?.log).toBe(
      'The delay of policy [Nights] (as of the creation of the alert) is over: the notification flow starts',
    );
    const [alert] = await stored();
    expect(alert?.unresolved).toMatchObject({ attempt: 3 });
    expect(alert?.nextDueAt).toEqual(alert?.unresolved?.dueAt);
  });
});

describe('the due work of an alert', () => {
  const accepted = (command: AlertCommand) => {
    end += 1;
    return { offset: end - 1, command };
  };

  it('does not overtake an acknowledgement that was accepted before it was due and is not processed yet', async () => {
    const stage = open(0);
    await apply(stage, [pagingCreate('disk')], restartedEvery(10, 3));
    const { command, offset } = accepted(acknowledge(DISK, { at: after(9), actor: 'ada' }));
    stage.clock.moveTo(at(10));
    await stage.activate();
    // Another process, which starts now, does not overtake it either.
    await open(10).activate();
    expect(await reader().find(DISK)).toMatchObject({ cycle: 1, acknowledged: false });
    expect(await stage.apply(offset, [command])).toEqual({ outcome: 'done' });
    await stage.activate();
    await open(11).activate();
    expect(await reader().find(DISK)).toMatchObject({ cycle: 1, acknowledged: true });
    expect((await events()).map(({ facts }) => facts[0]?.kind)).toEqual(['created', 'acknowledged']);
  });

  it('is done although commands wait that were accepted after it was due', async () => {
    const stage = open(0);
    await apply(stage, [pagingCreate('disk')], restartedEvery(10, 3));
    const before = accepted(create('fan', { at: after(9) }));
    stage.clock.moveTo(at(10));
    await stage.activate();
    accepted(create('late', { at: after(10) }));
    await stage.apply(before.offset, [before.command]);
    await stage.activate();
    expect(await reader().find(DISK)).toMatchObject({ cycle: 2 });
  });

  it('is not found again and again where nothing is due at the instant in its document', async () => {
    const stage = open(0);
    await apply(stage, [create('disk'), order(DISK, { kind: 'snooze', endTime: after(60) }), create('fan')]);
    await collectionOf(connection, ALERTS).updateMany({}, { $set: { nextDueAt: at(1) } });
    stage.clock.moveTo(at(2));
    await stage.activate();
    expect((await stored()).map((alert) => alert.nextDueAt)).toEqual([at(60), undefined]);
    expect((await stored()).map(({ version }) => version)).toEqual([2, 1]);
  });

  it('is done once by two processes that have it at the same time', async () => {
    const aliases = Array.from({ length: 300 }, (_, index) => `disk-${String(index)}`);
    const first = open(0);
    await apply(
      first,
      aliases.map((alias) => pagingCreate(alias)),
      PLAN,
    );
    for (const minute of [10, 20, 25]) {
      const processes = [open(minute), open(minute), open(minute)];
      await eventually(async () => {
        await Promise.all(processes.map(({ activate }) => activate()));
        expect(await processes[0]?.dueWork.countDue()).toBe(0);
      });
    }
    const alerts = await stored();
    expect(
      new Set(alerts.map(({ cycle, status, version }) => `${status} ${String(cycle)} ${String(version)}`)),
    ).toEqual(new Set(['closed 3 4']));
    const published = await events();
    expect(published).toHaveLength(aliases.length * 4);
    expect(publisher.published).toHaveLength(published.length);
  });
});

/** In the order of a transaction: the alert is written, all is written, all is committed, all is published. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'after', command: 'find', collection: ALERTS },
  { when: 'after', command: 'update', collection: ALERTS },
  { when: 'before', command: 'insert', collection: 'outbox' },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
];

describe('the due work of an alert, in a process that is killed', () => {
  it.each(POINTS)('is done once where it is killed $when $command', async (point) => {
    const { uri: mongoUri } = await testMongo();
    const command = pagingCreate('disk', { at: after(0) });
    const { alertId } = command.alert;
    const snooze = order(DISK, { kind: 'snooze', endTime: after(12) }, { at: after(1) });
    await apply(open(0), [command, snooze], PLAN);
    const earlier: AlertEvent[] = [];
    // A restart, the end of a snooze and the close, of which the last two are due at once.
    const steps = [at(12), at(25)];
    for (const now of steps) {
      const killed: KilledDueAlerts = { mongoUri, database: connection.name, now: now.toISOString(), dieAt: point };
      const child = spawn(process.execPath, ['--conditions=source', SCRIPT, JSON.stringify(killed)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { lines, signal } = await deathOf(child, connection);
      expect(signal).toBe('SIGKILL');
      earlier.push(...lines.flatMap((line) => JSON.parse(line) as AlertEvent[]));
      const heir = openDueStage({ connection, publisher, now, log: () => ({ start: 0, end }) });
      await heir.activate();
    }
    const meant = ideal(PLAN, command, snooze, ...steps);
    expect(await reader().find({ type: 'id', value: alertId })).toEqual(meant.alerts[0]);
    expect(await logOf(alertId)).toEqual(meant.logs);
    expect(await events(earlier)).toEqual(meant.events);
    expect(meant.alerts.map(nextDueAt)).toEqual([undefined]);
  });
});

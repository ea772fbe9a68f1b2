import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { collectionOf, type Connection, type RelayPublisher } from '@tocsin/mongo';
import { deathOf, eventually, publishAll, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { applyDisable, isExpired, applyPing } from './heartbeat.ts';
import { MONITOR_LIVENESS, type MonitorLivenessDocument } from './liveness-store.ts';
import { HEARTBEATS } from './heartbeat-document.ts';
import { at, heartbeatOf } from '../testing/heartbeat-samples.ts';
import { openMonitor, type KilledMonitor, type Monitor } from '../testing/killed-monitor.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { alertsAfter } from '../testing/open-alerts.ts';

const MONITOR = fileURLToPath(new URL('../testing/killed-monitor.ts', import.meta.url));
/** In the order of a run, up to the removal of the published row. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'before', command: 'insert', collection: 'outbox' },
  { when: 'after', command: 'insert', collection: 'outbox' },
  { when: 'after', command: 'update', collection: HEARTBEATS },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
  { when: 'after', command: 'delete', collection: 'outbox' },
];
const CASES = POINTS.map(
  (point) => [`${point.when} ${point.command} ${point.collection ?? ''}`.trimEnd(), point] as const,
);
const OPEN = { open: ['heartbeat:backup'], opened: 1 };
const CLOSED = { open: [], opened: 1 };

const database = useDatabase();
let connection: Connection;
let store: Monitor['store'];
/** The published messages of all processes, in order. */
let topic: unknown[];

const publisher: RelayPublisher = {
  publish: (_, messages) => {
    topic.push(...messages);
    return Promise.resolve();
  },
};

beforeEach(async () => {
  connection = await database();
  const monitor = openMonitor(connection, at(0), publisher);
  ({ store } = monitor);
  topic = [];
  await store.insert(applyPing(heartbeatOf(), at(0)));
  await monitor.liveness.report({ now: at(0), silenceMs: 1, refusedPings: false });
});

/** Kept fresh, so that no death is an outage: another monitor is at work all the time. */
const reported = (aheadMs = 0) =>
  collectionOf<MonitorLivenessDocument>(connection, MONITOR_LIVENESS).updateOne({ _id: 'monitor' }, [
    { $set: { reportedAt: { $add: ['$$NOW', aheadMs] } } },
  ]);

/** A process of its own that runs the task once. */
async function process(minute: number, rest: Pick<KilledMonitor, 'dieAt' | 'pings' | 'signal'>): Promise<ChildProcess> {
  await reported(600_000);
  const { uri: mongoUri } = await testMongo();
  const options: KilledMonitor = { mongoUri, database: connection.name, now: at(minute).toISOString(), ...rest };
  return spawn(execPath, ['--conditions=source', MONITOR, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', rest.signal === undefined ? 'inherit' : 'pipe'],
  });
}

/** The end of a process; answers by what it was killed. */
async function endOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  const { lines, signal } = await deathOf(child, connection);
  topic.push(...lines.flatMap((line) => JSON.parse(line) as AlertCommand[]));
  await endLeases();
  return signal;
}

/** As after 3 s without a renewal. */
const endLeases = () => collectionOf(connection, 'leases').deleteMany({});

const killed = async (minute: number, dieAt: PointOfDeath, pings?: string) =>
  endOf(await process(minute, { dieAt, ...(pings !== undefined && { pings }) }));

/** Publishes all that waits. */
async function relay(): Promise<void> {
  const { outbox } = openMonitor(connection, at(0), publisher);
  outbox.start();
  await publishAll(outbox);
}

/** Runs the task of a monitor in this process, and relays. */
async function run(minute: number): Promise<void> {
  await reported();
  await openMonitor(connection, at(minute), publisher).task.activate();
  await relay();
}

describe('a monitor that is killed', () => {
  it.each(CASES)('%s, opens its alert once, and the next ping closes it', async (_, point) => {
    expect(await killed(10, point)).toBe('SIGKILL');
    await run(11);
    expect(alertsAfter(topic)).toEqual(OPEN);
    await store.change('backup', (present) => applyPing(present, at(12)));
    await run(12);
    expect(alertsAfter(topic)).toEqual(CLOSED);
  });

  it.each(CASES)('%s, loses the close of a ping only with the ping', async (_, point) => {
    await run(10);
    expect(alertsAfter(topic)).toEqual(OPEN);
    expect(await killed(12, point, 'backup')).toBe('SIGKILL');
    const left = await store.find('backup');
    const isWritten = left?.lastPingAt?.getTime() === at(12).getTime();
    expect(left && isExpired(left)).toBe(!isWritten);
    await run(13);
    expect(alertsAfter(topic)).toEqual(isWritten ? CLOSED : OPEN);
    await store.change('backup', (present) => applyPing(present, at(14)));
    await run(14);
    expect(alertsAfter(topic)).toEqual(CLOSED);
  });

  it('before it published an alert leaves none open of a heartbeat that is removed meanwhile', async () => {
    expect(await killed(10, { when: 'after', command: 'commitTransaction' })).toBe('SIGKILL');
    await store.remove('backup', (present) => applyDisable(present, at(11)));
    await run(11);
    expect(topic.map((command) => (command as AlertCommand).kind)).toEqual(['create', 'close']);
    expect(await collectionOf(connection, HEARTBEATS).countDocuments({})).toBe(0);
  });
});

describe('monitors that race', () => {
  it('with pings and each other, end as the last instant says, each alert opened and closed in order', async () => {
    const monitors = (now: Date) => [1, 2, 3].map(() => openMonitor(connection, now, publisher).task.activate());
    for (let round = 1; round <= 10; round += 1) {
      const due = at(round * 20 - 10);
      const ping = (instant: Date) => store.change('backup', (present) => applyPing(present, instant));
      await reported();
      await Promise.all([...monitors(due), ping(new Date(due.getTime() - 1))]);
      await ping(at(round * 20));
      await Promise.all(monitors(at(round * 20)));
      await relay();
      expect(alertsAfter(topic).open).toEqual([]);
      expect(await store.find('backup')).toMatchObject({ expiresAt: at(round * 20 + 10) });
    }
  });

  it.each(CASES)('go on while one of them is frozen %s, and after it', async (_, dieAt) => {
    await store.insert(applyPing(heartbeatOf({ id: 'other', name: 'other', interval: 11 }), at(0)));
    const child = await process(10, { dieAt, signal: 'SIGSTOP' });
    const ended = endOf(child);
    if (child.stderr !== null) await once(child.stderr, 'data');
    await endLeases();
    const monitor = openMonitor(connection, at(11), publisher);
    await eventually(async () => {
      await reported();
      await monitor.task.activate();
      await relay();
      expect(alertsAfter(topic).open).toContain('heartbeat:other');
    });
    // It waits while the frozen one has the heartbeat in its transaction, until MongoDB aborts that.
    await store.change('backup', (present) => applyPing(present, at(12)));
    child.kill('SIGCONT');
    expect(await ended).toBeNull();
    await run(13);
    expect(alertsAfter(topic).open).toEqual(['heartbeat:other']);
    expect(await store.find('backup')).toMatchObject({ lastPingAt: at(12), expiresAt: at(22) });
  });
});

describe('a heartbeat that requests change without a pause', () => {
  it('expires all the same, and delays no other', async () => {
    await store.insert(applyPing(heartbeatOf({ id: 'other', name: 'other' }), at(0)));
    const monitor = openMonitor(connection, at(11), publisher);
    let isOver = false;
    const description = () => String(Math.random());
    const flood = async () => {
      while (!isOver)
        await monitor.task.track('backup', at(11), () =>
          monitor.store.change('backup', (present) => ({ ...present, description: description() })),
        );
    };
    const floods = [flood(), flood(), flood()];
    await eventually(async () => {
      await reported();
      await monitor.task.activate();
      expect(await Promise.all(['backup', 'other'].map((name) => store.find(name)))).toMatchObject([
        { step: 1 },
        { step: 1 },
      ]);
    });
    isOver = true;
    await Promise.all(floods);
    await relay();
    expect(alertsAfter(topic)).toMatchObject({ opened: 2 });
  });
});

describe('while Kafka is unavailable', () => {
  it('no ping is refused, and then each alert is opened and closed in order', async () => {
    const unavailable: RelayPublisher = { publish: () => Promise.reject(new Error('Kafka is unavailable')) };
    const monitor = (minute: number) => openMonitor(connection, at(minute), unavailable);
    for (const minute of [10, 30, 50]) {
      await reported();
      const { outbox, task } = monitor(minute);
      await task.activate();
      await outbox.flush();
      await store.change('backup', (present) => applyPing(present, at(minute + 10)));
    }
    expect(topic).toEqual([]);
    await relay();
    expect(topic.map((command) => (command as AlertCommand).requestId.split(':')[2])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(alertsAfter(topic)).toEqual({ open: [], opened: 3 });
  });
});

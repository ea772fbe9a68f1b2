import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/contracts';
import { RecordingPublisher, type Publisher } from '@tocsin/messaging';
import { collectionOf, type Connection } from '@tocsin/persistence';
import { deathOf, testMongo, type PointOfDeath } from '@tocsin/testing';
import { deleted, isExpired, pinged } from './domain/heartbeat.ts';
import { BEATS, HEARTBEATS, type BeatDocument } from './storage/heartbeat-documents.ts';
import { MongoHeartbeatStore } from './storage/mongo-heartbeat-store.ts';
import { at, heartbeatOf } from './testing/heartbeat-samples.ts';
import { openWatch, type KilledWatch } from './testing/killed-watch.ts';
import { useDatabase } from './testing/mongo-fixture.ts';
import { alertsAfter } from './testing/open-alerts.ts';

const MONITOR = fileURLToPath(new URL('./testing/killed-watch.ts', import.meta.url));
/** In the order of a turn: before what is due expires, once it is expired, once it is published, once that is written down. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'before', command: 'update', collection: HEARTBEATS },
  { when: 'after', command: 'update', collection: HEARTBEATS },
  { when: 'after', command: 'find', collection: HEARTBEATS },
  { when: 'before', command: 'delete', collection: HEARTBEATS },
];
const OPEN = { open: ['heartbeat:backup'], opened: 1 };
const CLOSED = { open: [], opened: 1 };

const database = useDatabase();
let connection: Connection;
let store: MongoHeartbeatStore;
/** Whatever processes have published that were killed, and those that were not, in its order. */
let topic: { readonly message: unknown }[];

beforeEach(async () => {
  connection = await database();
  store = new MongoHeartbeatStore(connection);
  topic = [];
  await store.insert(pinged(heartbeatOf(), at(0)));
  await store.beat({ now: at(0), silenceMs: 1, refusedPings: false });
});

/** Kept fresh, so that no death is an outage: another monitor is at work all the time. */
const beaten = () =>
  collectionOf<BeatDocument>(connection, BEATS).updateOne({ _id: 'monitor' }, [{ $set: { beatAt: '$$NOW' } }]);

/** A process that takes a turn; answers by what it was killed. */
async function killed(minute: number, point: PointOfDeath, pings?: string): Promise<NodeJS.Signals | null> {
  await collectionOf<BeatDocument>(connection, BEATS).updateOne({ _id: 'monitor' }, [
    { $set: { beatAt: { $add: ['$$NOW', 600_000] } } },
  ]);
  const { uri: mongoUri } = await testMongo();
  const told: KilledWatch = {
    mongoUri,
    database: connection.name,
    now: at(minute).toISOString(),
    dieAt: point,
    ...(pings !== undefined && { pings }),
  };
  const child = spawn(process.execPath, ['--conditions=source', MONITOR, JSON.stringify(told)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { lines, signal } = await deathOf(child, connection);
  topic.push(...lines.flatMap((line) => JSON.parse(line) as AlertCommand[]).map((message) => ({ message })));
  return signal;
}

/** A turn of one that lives, in this process. */
async function turn(minute: number): Promise<void> {
  const publisher = new RecordingPublisher();
  await beaten();
  await openWatch(connection, at(minute), publisher).turn();
  topic.push(...publisher.published);
}

describe('a monitor that is killed', () => {
  it.each(POINTS.map((point) => [`${point.when} ${point.command}`, point] as const))(
    'at %s, opens its alert once, and the next ping closes it, both by who comes after it',
    async (_, point) => {
      expect(await killed(10, point)).toBe('SIGKILL');
      await turn(11);
      expect(alertsAfter(topic)).toEqual(OPEN);
      await store.change('backup', (present) => pinged(present, at(12)));
      await turn(12);
      expect(alertsAfter(topic)).toEqual(CLOSED);
      expect(await store.untold(10)).toEqual([]);
    },
  );

  it.each(
    POINTS.filter((_, index) => index % 2 === 1).map((point) => [`${point.when} ${point.command}`, point] as const),
  )('at %s, after the ping that it took is on disk, leaves no alert open', async (_, point) => {
    await turn(10);
    expect(alertsAfter(topic)).toEqual(OPEN);
    expect(await killed(12, point, 'backup')).toBe('SIGKILL');
    const left = await store.find('backup');
    expect([left?.lastPingAt, left && isExpired(left)]).toEqual([at(12), false]);
    await turn(13);
    expect(alertsAfter(topic)).toEqual(CLOSED);
  });

  it('before it told of an alert closes it all the same when the heartbeat is deleted meanwhile', async () => {
    expect(await killed(10, { when: 'after', command: 'update', collection: HEARTBEATS })).toBe('SIGKILL');
    await store.change('backup', (present) => deleted(present, at(11)));
    await turn(11);
    expect(topic.map(({ message }) => (message as AlertCommand).kind)).toEqual(['create', 'close']);
    expect(await collectionOf(connection, HEARTBEATS).countDocuments({})).toBe(0);
  });
});

describe('monitors that race', () => {
  it('with pings and each other, end as the last instant says, each alert opened and closed in order', async () => {
    const publisher: Pick<Publisher, 'publish'> = {
      publish: (_, messages) => {
        topic.push(...messages.map((message) => ({ message })));
        return Promise.resolve();
      },
    };
    const monitors = (now: Date) => [1, 2, 3].map(() => openWatch(connection, now, publisher).turn());
    for (let round = 1; round <= 10; round += 1) {
      const due = at(round * 20 - 10);
      await beaten();
      await Promise.all([...monitors(due), store.pingWaitedFor('backup', new Date(due.getTime() - 1), undefined)]);
      await store.change('backup', (present) => pinged(present, at(round * 20)));
      await Promise.all(monitors(at(round * 20)));
      expect(alertsAfter(topic).open).toEqual([]);
      expect(await store.find('backup')).toMatchObject({ expiresAt: at(round * 20 + 10) });
    }
  });
});

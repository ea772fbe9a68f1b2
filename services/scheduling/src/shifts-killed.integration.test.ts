import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ShiftNotices } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, dueIndex, migrate, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { deathOf, eventually, testMongo, type PointOfDeath } from '@tocsin/testing';
import { SHIFT_POSITIONS } from './storage/shift-notices/mongo-shift-positions.ts';
import { openShiftTeller, type KilledShiftTeller } from './testing/killed-shift-teller.ts';

const TELLER = fileURLToPath(new URL('./testing/killed-shift-teller.ts', import.meta.url));
/** In their order: the position is found, and written, all is written, all is committed, all is published. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'after', command: 'find', collection: SHIFT_POSITIONS },
  { when: 'after', command: 'update', collection: SHIFT_POSITIONS },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
];
const BEFORE = new Date('2026-01-03T11:00:00Z');
const DUE = new Date('2026-01-03T11:45:00Z');
const IDS = [
  'shift:ops:ada:start:2026-01-03T12:00:00.000Z:15-minutes-ago',
  'shift:ops:bob:end:2026-01-03T12:00:00.000Z:15-minutes-ago',
];

let mongoUri: string;
let connection: Connection;
/** Whatever processes have published that were killed, and those that were not. */
let published: unknown[];
let publisher: RecordingPublisher;

beforeEach(async () => {
  const { uri, database } = await testMongo();
  mongoUri = uri;
  connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, dueIndex(SHIFT_POSITIONS)]);
  published = [];
  publisher = new RecordingPublisher();
  const { publishDue, touch } = await heirAt(BEFORE);
  await touch();
  await publishDue();
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** A process that publishes what is due. Resolves with the signal that killed it. */
async function killed(point: PointOfDeath): Promise<NodeJS.Signals | null> {
  const told: KilledShiftTeller = { mongoUri, database: connection.name, now: DUE.toISOString(), dieAt: point };
  const child = spawn(process.execPath, ['--conditions=source', TELLER, JSON.stringify(told)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { lines, signal } = await deathOf(child, connection);
  for (const line of lines) {
    const { messages, topic } = JSON.parse(line) as { readonly topic: string; readonly messages: readonly unknown[] };
    if (topic === ShiftNotices.name) published.push(...messages);
  }
  return signal;
}

/** One that lives, in this process. */
const heirAt = (now: Date) => openShiftTeller({ connection, publisher, now });

/** The ids of what was published once every row that anybody left behind is swept; each once, as its consumers take it. */
async function outcome(): Promise<readonly string[]> {
  const { outbox } = await heirAt(DUE);
  outbox.start();
  await eventually(async () => {
    expect(await outbox.pending()).toBe(0);
  });
  await outbox.stop();
  const here = publisher.published.filter(({ topic }) => topic === ShiftNotices.name).map(({ message }) => message);
  return [...new Set([...published, ...here].map((message) => ShiftNotices.schema.parse(message).noticeId))].sort();
}

describe('the notices of a shift', () => {
  it.each(POINTS)('are all told, once, when their process dies $when $command', async (point) => {
    expect(await killed(point)).toBe('SIGKILL');
    await (await heirAt(DUE)).publishDue();
    expect(await outcome()).toEqual(IDS);
  });

  it('are all told, once, where several processes find them due at the same time', async () => {
    const heirs = await Promise.all([heirAt(DUE), heirAt(DUE), heirAt(DUE)]);
    await Promise.all(heirs.map((heir) => heir.publishDue()));
    expect(await outcome()).toEqual(IDS);
  });
});

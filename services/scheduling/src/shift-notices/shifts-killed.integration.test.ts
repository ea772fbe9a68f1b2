import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ShiftNotices } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { connectMongo, dueIndex, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { deathOf, publishAll, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { SHIFT_NOTICES } from './store.ts';
import { openShiftProcess, type KilledShiftProcess } from '../testing/killed-shift-process.ts';

const SCRIPT = fileURLToPath(new URL('../testing/killed-shift-process.ts', import.meta.url));
/** In their order: the schedule is found, its next due time is written, all is written, all is committed, all is published. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'after', command: 'find', collection: SHIFT_NOTICES },
  { when: 'after', command: 'update', collection: SHIFT_NOTICES },
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
/** The messages that killed processes have published. */
let published: unknown[];
let publisher: RecordingPublisher;

beforeEach(async () => {
  const { uri, database } = await testMongo();
  mongoUri = uri;
  connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, dueIndex(SHIFT_NOTICES)]);
  published = [];
  publisher = new RecordingPublisher();
  const { publishDue, touch } = survivorAt(BEFORE);
  await touch();
  await publishDue();
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** Runs a process that publishes the due notices. Resolves with the signal that killed it. */
async function killed(point: PointOfDeath): Promise<NodeJS.Signals | null> {
  const argument: KilledShiftProcess = { mongoUri, database: connection.name, now: DUE.toISOString(), dieAt: point };
  const child = spawn(process.execPath, ['--conditions=source', SCRIPT, JSON.stringify(argument)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { lines, signal } = await deathOf(child, connection);
  for (const line of lines) {
    const { messages, topic } = JSON.parse(line) as { readonly topic: string; readonly messages: readonly unknown[] };
    if (topic === ShiftNotices.name) published.push(...messages);
  }
  return signal;
}

/** A process that lives: this one. */
const survivorAt = (now: Date) => openShiftProcess({ connection, publisher, now });

/** The ids of the notices that are published once no row is left in the outbox. Each counts once, as consumers drop repeats. */
async function outcome(): Promise<readonly string[]> {
  const { outbox } = survivorAt(DUE);
  outbox.start();
  await publishAll(outbox);
  const here = publisher.published.filter(({ topic }) => topic === ShiftNotices.name).map(({ message }) => message);
  return [...new Set([...published, ...here].map((message) => ShiftNotices.schema.parse(message).noticeId))].sort();
}

describe('the notices of a shift', () => {
  it.each(POINTS)('are all published, once, when their process dies $when $command', async (point) => {
    expect(await killed(point)).toBe('SIGKILL');
    await survivorAt(DUE).publishDue();
    expect(await outcome()).toEqual(IDS);
  });

  it('are all published, once, where several processes find them due at the same time', async () => {
    const processes = [survivorAt(DUE), survivorAt(DUE), survivorAt(DUE)];
    await Promise.all(processes.map((process) => process.publishDue()));
    expect(await outcome()).toEqual(IDS);
  });
});

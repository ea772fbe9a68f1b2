import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { NoticeCommands } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { deathOf, publishAll, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { openMailProcess, type KilledMailProcess } from '../testing/killed-mail-process.ts';
import { readinessMailIndexes } from './store.ts';

const SCRIPT = fileURLToPath(new URL('../testing/killed-mail-process.ts', import.meta.url));
const MAILS = 'readiness_mails';
/** In their order: the mail is found due, its next time is written, all is written, all is committed, all is published. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'after', command: 'find', collection: MAILS },
  { when: 'after', command: 'update', collection: MAILS },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
];
const DUE = new Date('2026-01-05T09:00:00Z');
const NEXT = new Date('2026-01-12T09:00:00Z');

let mongoUri: string;
let connection: Connection;
/** The messages that killed processes have published. */
let published: unknown[];
let publisher: RecordingPublisher;

const survivor = () => openMailProcess({ connection, publisher, clock: new ManualClock(DUE) });

beforeEach(async () => {
  const { uri, database } = await testMongo();
  mongoUri = uri;
  connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...readinessMailIndexes]);
  published = [];
  publisher = new RecordingPublisher();
  await survivor().store.add({ userId: 'ada', nextAt: DUE });
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** Runs a process that orders the due mails. Resolves with the signal that killed it. */
async function killed(dieAt: PointOfDeath): Promise<NodeJS.Signals | null> {
  const argument: KilledMailProcess = { mongoUri, database: connection.name, now: DUE.toISOString(), dieAt };
  const child = spawn(process.execPath, ['--conditions=source', SCRIPT, JSON.stringify(argument)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { lines, signal } = await deathOf(child, connection);
  for (const line of lines) published.push(...(JSON.parse(line) as { readonly messages: readonly unknown[] }).messages);
  return signal;
}

/** The ids of the mails that are ordered once no row is left in the outbox. Each counts once, as the notifier drops repeats. */
async function outcome(): Promise<readonly string[]> {
  const { outbox } = survivor();
  outbox.start();
  await publishAll(outbox);
  const here = publisher.published.map(({ message }) => message);
  return [...new Set([...published, ...here].map((message) => NoticeCommands.schema.parse(message).noticeId))];
}

describe('the weekly mail of readiness', () => {
  it.each(POINTS)('is ordered once when its process dies $when $command', async (point) => {
    expect(await killed(point)).toBe('SIGKILL');
    await survivor().sendDue();
    expect(await outcome()).toEqual([`readiness:ada:${DUE.toISOString()}`]);
    expect(await survivor().store.ofUser('ada')).toEqual({ userId: 'ada', nextAt: NEXT });
  });

  it('is ordered once where several processes find it due at the same time', async () => {
    await Promise.all([survivor(), survivor(), survivor()].map((process) => process.sendDue()));
    expect(await outcome()).toEqual([`readiness:ada:${DUE.toISOString()}`]);
  });
});

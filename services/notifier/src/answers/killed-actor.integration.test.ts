import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertCommands, Decisions } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { deathOf, emptiedDatabase, monitoredUri, publishAll, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { ACTS } from '../messages/delivery-document.ts';
import { notifierIndexes } from '../messages/store.ts';
import { act } from '../testing/act-samples.ts';
import { openActor, type KilledActor } from '../testing/killed-actor.ts';

const ACTOR = fileURLToPath(new URL('../testing/killed-actor.ts', import.meta.url));
const NOW = new Date('2026-01-01T00:05:00Z');
const LATER = new Date('2026-01-01T00:06:00Z');

/** In the order in which an answer is taken: what a repeated call is answered, and how often the killed process published it. */
const POINTS: readonly (readonly [PointOfDeath, again: 'taken' | 'repeated', publishedBefore: number])[] = [
  [{ when: 'before', command: 'insert', collection: ACTS }, 'taken', 0],
  [{ when: 'after', command: 'insert', collection: ACTS }, 'taken', 0],
  [{ when: 'after', command: 'insert', collection: 'outbox' }, 'taken', 0],
  [{ when: 'before', command: 'commitTransaction' }, 'taken', 0],
  [{ when: 'after', command: 'commitTransaction' }, 'repeated', 0],
  [{ when: 'before', command: 'delete', collection: 'outbox' }, 'repeated', 1],
];

interface Published {
  readonly topic: string;
  readonly message: { readonly requestId?: string; readonly acceptedAt?: string; readonly decisionId?: string };
}

let opened: Connection | undefined;
const database = emptiedDatabase(async () => {
  const { uri, database: name } = await testMongo();
  opened = await connectMongo({ uri: monitoredUri(uri), database: name });
  await migrate(opened, [...persistenceIndexes, ...notifierIndexes]);
  return opened;
});
let connection: Connection;

beforeEach(async () => {
  connection = await database();
});

afterAll(async () => {
  await opened?.dropDatabase();
  await opened?.close();
});

/** The messages that killed processes have published. */
async function killed(point: PointOfDeath): Promise<readonly Published[]> {
  const { uri: mongoUri } = await testMongo();
  const options: KilledActor = {
    mongoUri,
    database: connection.name,
    now: NOW.toISOString(),
    act: act(),
    dieAt: point,
  };
  const child = spawn(process.execPath, ['--conditions=source', ACTOR, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { lines, signal } = await deathOf(child, connection);
  expect(signal).toBe('SIGKILL');
  return lines
    .map((line) => JSON.parse(line) as unknown)
    .flatMap((line) => (Array.isArray(line) ? (line as Published[]) : []));
}

const ofTopic = (published: readonly Published[], { name }: { readonly name: string }) =>
  published.filter(({ topic }) => topic === name).map(({ message }) => message);

describe('a notifier that is killed while it takes an acknowledgement', () => {
  it.each(POINTS.map((point) => [`${point[0].when} ${point[0].command} ${point[0].collection ?? ''}`, point] as const))(
    'at %s, loses no answer that was given, and lets the same answer, given again, be one order',
    async (_, [point, again, publishedBefore]) => {
      const before = await killed(point);
      expect(new Set(ofTopic(before, AlertCommands).map(({ requestId }) => requestId)).size).toBe(publishedBefore);
      const publisher = new RecordingPublisher();
      const { answer, outbox } = openActor(connection, LATER, publisher);
      expect(await answer(act())).toBe(again);
      outbox.start();
      await publishAll(outbox);
      const published = [...before, ...(publisher.published as readonly Published[])];
      const [commands, decisions] = [ofTopic(published, AlertCommands), ofTopic(published, Decisions)];
      // A row that was published and not removed is published once more, and consumers ignore it by its id.
      expect(commands.length).toBeGreaterThan(0);
      expect(commands.length).toBeLessThanOrEqual(1 + publishedBefore);
      const acceptedAt = (again === 'taken' ? LATER : NOW).toISOString();
      for (const command of commands) expect(command).toMatchObject({ requestId: act().requestId, acceptedAt });
      expect(new Set(decisions.map(({ decisionId }) => decisionId)).size).toBe(1);
    },
  );
});

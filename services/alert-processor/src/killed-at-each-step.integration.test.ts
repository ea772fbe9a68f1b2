import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AlertCommands, AlertEvents, ALL_TOPICS, type AlertCommand, type AlertEvent } from '@tocsin/contracts';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import type { Connection } from '@tocsin/persistence';
import { eventually, readTopic, testKafka, testMongo } from '@tocsin/testing';
import { stateOf } from './domain/alert.ts';
import { EVERY_KIND, target, type Target } from './domain/every-kind.samples.ts';
import { settleCommands } from './domain/settle.ts';
import type { KilledSettler } from './killed-settler.contract.ts';
import { deathOf, type PointOfDeath } from './point-of-death.contract.ts';
import { alertDocument } from './storage/alert-document.ts';
import { logDocument, noteDocument } from './storage/history-document.ts';
import { openDatabase } from './storage/mongo-fixture.contract.ts';
import { statusDocument } from './storage/status-document.ts';

jest.setTimeout(180_000);
const SETTLER = fileURLToPath(new URL('killed-settler.contract.ts', import.meta.url));
const logger = createLogger('alert-processor', 'silent');
const ACCEPTED_AT = new Date().toISOString();

/** In the order of a batch: the position, the reads, the writes of each collection, the commit, and what comes after it. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'before', command: 'update', collection: 'checkpoints' },
  { when: 'after', command: 'update', collection: 'checkpoints' },
  { when: 'before', command: 'find', collection: 'request_statuses' },
  { when: 'after', command: 'find', collection: 'alerts' },
  { when: 'before', command: 'insert', collection: 'alerts' },
  { when: 'after', command: 'update', collection: 'alerts' },
  { when: 'before', command: 'insert', collection: 'alert_logs' },
  { when: 'before', command: 'insert', collection: 'alert_notes' },
  { when: 'after', command: 'insert', collection: 'request_statuses' },
  { when: 'before', command: 'update', collection: 'timers' },
  { when: 'before', command: 'insert', collection: 'outbox' },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
  { when: 'after', command: 'delete', collection: 'outbox' },
];
/** Two are named by their alias, two by their id. */
const ALERTS_PER_POINT = 4;

let told: Omit<KilledSettler, 'groupId'>;
let kafka: KafkaConnection;
let publisher: BatchingPublisher;
let connection: Connection;
let running: ChildProcess | undefined;

beforeAll(async () => {
  const [{ brokers, topicPrefix }, { uri }] = await Promise.all([testKafka(), testMongo()]);
  connection = await openDatabase();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 3 });
  told = { brokers: brokers.join(','), topicPrefix, mongoUri: uri, database: connection.name };
  kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
});

afterAll(async () => {
  running?.kill('SIGKILL');
  await publisher.stop();
  await kafka.stop();
  await connection.dropDatabase();
  await connection.close();
});

/** A group of its own each time, so that nobody waits for the dead member: the position lies with the effects. */
function start(number: number, dieAt?: PointOfDeath): ChildProcess {
  const groupId = `${told.topicPrefix}alert-processor-${String(number)}`;
  const settler: KilledSettler = { ...told, groupId, ...(dieAt && { dieAt }) };
  running = spawn(process.execPath, ['--conditions=source', SETTLER, JSON.stringify(settler)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return running;
}

const allSettled = (count: number) =>
  eventually(
    async () => {
      expect(await connection.collection('request_statuses').countDocuments()).toBe(count);
      expect(await connection.collection('outbox').countDocuments()).toBe(0);
    },
    { timeoutMs: 60_000 },
  );

async function killedAt(point: PointOfDeath, number: number): Promise<void> {
  expect({ point, signal: await deathOf(start(number, point), connection) }).toEqual({ point, signal: 'SIGKILL' });
}

const KINDS = Object.values(EVERY_KIND);
const ENDS = [EVERY_KIND.close, EVERY_KIND.delete];

/** Every kind of command about one alert: the create first and again, then the others, beginning anywhere, and its end. */
function lifeOf(subject: Target, turn: number): readonly AlertCommand[] {
  const others = KINDS.filter((make) => make !== EVERY_KIND.create && !ENDS.includes(make)).map((make) =>
    make(subject),
  );
  const own = others.filter(({ identifier }) => identifier.type === subject.identifier.type);
  const rotated = [...own.slice(turn % own.length), ...own.slice(0, turn % own.length)];
  const end = turn % 3 === 0 ? [] : [turn % 3 === 1 ? EVERY_KIND.close(subject) : EVERY_KIND.delete(subject)];
  const again = subject.alias === '' ? [] : [EVERY_KIND.create(subject)];
  return [EVERY_KIND.create(subject), ...again, ...rotated, ...end, ...again.map(() => EVERY_KIND.create(subject))];
}

const subjects = (number: number): readonly Target[] =>
  Array.from({ length: ALERTS_PER_POINT }, (_, index) => {
    const name = `alert-${String(number * ALERTS_PER_POINT + index)}`;
    return target(name, index % 2 === 0 ? name : '', ACCEPTED_AT);
  });

/** The lives of new alerts, and a note about each of the first ones, which are stored by then. */
function lives(number: number): readonly AlertCommand[] {
  const stored = number === 0 ? [] : subjects(0).map(EVERY_KIND['add-note']);
  return [...stored, ...subjects(number).flatMap((subject, index) => lifeOf(subject, number + index))];
}

interface Row {
  readonly _id: string;
}

/** As JSON has them, by their ids. */
const plain = (documents: readonly Row[], ...without: readonly string[]): readonly unknown[] =>
  documents
    .toSorted((a, b) => (a._id < b._id ? -1 : 1))
    .map(
      (document) =>
        JSON.parse(
          JSON.stringify(document, (key, value: unknown) => (without.includes(key) ? undefined : value)),
        ) as unknown,
    );

const stored = (collection: string) => connection.collection<Row>(collection).find().toArray();

async function published(): Promise<readonly AlertEvent[]> {
  const records = await readTopic(kafka, AlertEvents);
  return records.map(({ value }) => AlertEvents.schema.parse(JSON.parse(String(value))));
}

describe('a processor that is killed at each step of a batch', () => {
  it('settles a thousand commands of all kinds exactly once, and publishes each of their events', async () => {
    const commands: AlertCommand[] = [];
    const give = async (number: number): Promise<void> => {
      const more = lives(number);
      commands.push(...more);
      await publisher.publish(AlertCommands, more);
    };
    await give(0);
    const first = start(0);
    await allSettled(commands.length);
    first.kill('SIGKILL');
    for (const [index, point] of POINTS.entries()) {
      await give(1 + index);
      await killedAt(point, 1 + index);
    }
    expect(commands.length).toBeGreaterThan(1_000);
    expect(new Set(commands.map(({ kind }) => kind)).size).toBe(KINDS.length);
    start(1 + POINTS.length);
    await allSettled(commands.length);

    const means = { resolve, firstTinyId: 1, processedAt: new Date() };
    const meant = settleCommands(commands, { settled: new Set(), alerts: [] }, means);
    const alerts = await stored('alerts');
    expect(plain(alerts, 'tinyId')).toEqual(plain(meant.inserted.map(alertDocument), 'tinyId'));
    expect(new Set(alerts.map((alert) => (alert as unknown as { tinyId: number }).tinyId)).size).toBe(alerts.length);
    expect(plain(await stored('alert_logs'))).toEqual(plain(meant.logs.map(logDocument)));
    expect(plain(await stored('alert_notes'))).toEqual(plain(meant.notes.map(noteDocument)));
    const statuses = plain(meant.statuses.map(statusDocument), 'processedAt');
    expect(plain(await stored('request_statuses'), 'processedAt')).toEqual(statuses);

    const events = await published();
    const factsOf = (all: readonly AlertEvent[]) =>
      new Set(all.flatMap(({ facts }) => facts.map(({ factId }) => factId)));
    expect(factsOf(events)).toEqual(factsOf(meant.events));
    const versions = new Map<string, AlertEvent>();
    for (const event of events) {
      const name = `${event.alertId}/${String(event.version)}`;
      expect(event).toEqual(versions.get(name) ?? event);
      versions.set(name, event);
    }
    for (const alert of meant.inserted) {
      const own = events.filter(({ alertId }) => alertId === alert.id);
      const last = own.reduce((latest, event) => (event.version > latest.version ? event : latest));
      expect({ ...last.state, tinyId: '' }).toEqual({ ...stateOf(alert), tinyId: '' });
    }
  });
});

function resolve({ id = '' }: { readonly id?: string | undefined }) {
  return { kind: 'known', id, name: id } as const;
}

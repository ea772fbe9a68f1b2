import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertCommands, Decisions, Pages, type AlertEvent, type ConsumedBatch } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { monitoredUri, sentCommands, testMongo } from '@tocsin/testing';
import { Snapshots } from './application/loaded-snapshot.ts';
import { RunEngine } from './application/runs/run-engine.ts';
import { batchOf, engineFixture } from './testing/engine-fixture.ts';
import { runIndexes } from './storage/runs/documents.ts';
import { MongoRunStore } from './storage/runs/mongo-run-store.ts';

/** Of publishing: shared by all rows that wait. */
const PUBLISHING = ['find outbox', 'delete outbox', 'findAndModify leases', 'delete leases'];

/** Of one transaction, however many partitions and flows it is about. */
const COMMANDS = [...['update checkpoints', 'find runs', 'update runs', 'insert outbox'], 'commitTransaction'];

let connection: Connection;
let publisher: RecordingPublisher;
let engine: RunEngine;
let outbox: Outbox;
let commands: string[];

beforeEach(async () => {
  const { uri, database } = await testMongo();
  connection = await connectMongo({ uri: monitoredUri(uri), database });
  await migrate(connection, [...persistenceIndexes, ...runIndexes]);
  commands = sentCommands(connection.getClient());
  publisher = new RecordingPublisher();
  const logger = { warn: () => undefined, error: () => undefined };
  outbox = new Outbox({ connection, publisher, topics: [Pages, AlertCommands, Decisions], logger });
  const { clock, configuration, teams, users } = await engineFixture();
  engine = new RunEngine({
    store: new MongoRunStore({ connection, outbox, dueWork: { written: () => undefined } }),
    clock,
    snapshots: new Snapshots({ store: configuration, users, teams }),
    random: () => 0,
    onRouted: () => undefined,
    onNobody: () => undefined,
    onExhausted: () => undefined,
  });
});

afterEach(async () => {
  await outbox.stop();
  await connection.dropDatabase();
  await connection.close();
});

describe('flows that begin in several partitions at once', () => {
  it('cost the commands of one transaction', async () => {
    const events = (offset: number) =>
      [0, 1, 2].map((partition): ConsumedBatch<AlertEvent> => {
        const { records, ...batch } = batchOf(offset, { version: 1, facts: [] });
        const alertId = `alert ${partition} ${offset}`;
        return { ...batch, partition, records: records.map((one) => ({ ...one, value: { ...one.value, alertId } })) };
      });
    for (const first of events(0)) await engine.settleEvents(first);
    await outbox.pending();
    commands.length = 0;
    expect(await engine.settleEvents(...events(1))).toEqual({ outcome: 'done' });
    expect(commands.filter((each) => !PUBLISHING.includes(each))).toEqual(COMMANDS);
    await outbox.flush();
    expect(publisher.published.filter(({ topic }) => topic === Pages.name)).toHaveLength(6);
  });
});

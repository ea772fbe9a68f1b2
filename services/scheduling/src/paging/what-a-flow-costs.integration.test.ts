import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Pages, type AlertEvent, type ConsumedBatch } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { monitoredUri, sentCommands, testMongo } from '@tocsin/testkit';
import { escalationStateIndexes } from './store.ts';
import { batchOf } from '../testing/engine-fixture.ts';
import { configurationSample, openEngine, type OpenEngine } from '../testing/open-engine.ts';

/** Of publishing: shared by all rows that wait. */
const PUBLISHING = ['find outbox', 'delete outbox', 'findAndModify leases', 'delete leases'];

/** Of one transaction, however many partitions and flows it is about. */
const COMMANDS = [
  ...['update checkpoints', 'find escalation_states', 'update escalation_states', 'insert outbox'],
  'commitTransaction',
];

let connection: Connection;
let publisher: RecordingPublisher;
let opened: OpenEngine;
let commands: string[];

beforeEach(async () => {
  const { uri, database } = await testMongo();
  connection = await connectMongo({ uri: monitoredUri(uri), database });
  await migrate(connection, [...persistenceIndexes, ...escalationStateIndexes]);
  commands = sentCommands(connection.getClient());
  publisher = new RecordingPublisher();
  opened = openEngine({ connection, publisher, configured: configurationSample() });
});

afterEach(async () => {
  await opened.outbox.stop();
  await connection.dropDatabase();
  await connection.close();
});

describe('flows that begin in several partitions at once', () => {
  it('cost the commands of one transaction', async () => {
    const { outbox, receiveEvents } = opened;
    const eventsAt = (offset: number) =>
      [0, 1, 2].map((partition): ConsumedBatch<AlertEvent> => {
        const { records, ...batch } = batchOf(offset, { version: 1, facts: [] });
        const alertId = `alert ${partition} ${offset}`;
        return { ...batch, partition, records: records.map((one) => ({ ...one, value: { ...one.value, alertId } })) };
      });
    for (const first of eventsAt(0)) await receiveEvents(first);
    await outbox.pending();
    commands.length = 0;
    expect(await receiveEvents(...eventsAt(1))).toEqual({ outcome: 'done' });
    expect(commands.filter((each) => !PUBLISHING.includes(each))).toEqual(COMMANDS);
    await outbox.flush();
    expect(publisher.published.filter(({ topic }) => topic === Pages.name)).toHaveLength(6);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock, systemClock } from '@tocsin/core';
import { AlertCommands, ALL_TOPICS } from '@tocsin/events';
import {
  BatchConsumer,
  BatchingPublisher,
  consume,
  DeadLetterRedrive,
  ensureTopics,
  KafkaConnection,
} from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { CheckpointTransactions, MongoCheckpoints, type Connection } from '@tocsin/mongo';
import { eventually, testKafka } from '@tocsin/testkit';
import { CurrentRules } from './policies/apply-operations.ts';
import { alertCommands, CommandBatches } from './alerts/consumer.ts';
import { ACCEPTED_AT, addNote, byAlias, create } from './testing/commands-samples.ts';
import { OPEN_ALIAS } from './database.ts';
import { MongoConfigurationStore } from './policies/store.ts';
import { mongoLedger, mongoStorage, openDatabase } from './testing/mongo-fixture.ts';
import type { AlertStorage } from './testing/open-storage.ts';
import { directoryOf } from './testing/directory-samples.ts';

const logger = createLogger('alert-processor', 'silent');
const connections: KafkaConnection[] = [];
let connection: Connection;
let storage: AlertStorage;
let publisher: BatchingPublisher;
let consumer: BatchConsumer;
/** Whether looking up a responder fails with a defect. */
let broken = true;

beforeAll(async () => {
  const { brokers, topicPrefix } = await testKafka();
  connection = await openDatabase();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 3 });
  for (const clientId of ['service', 'one', 'another'])
    connections.push(new KafkaConnection({ brokers, clientId, topicPrefix, logger }));
  const [kafka] = connections as [KafkaConnection];
  const opened = mongoLedger(connection);
  storage = mongoStorage(connection, opened);
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const commands = new CommandBatches({
    tinyIds: storage.tinyIds,
    rules: new CurrentRules(new MongoConfigurationStore(connection), 'UTC'),
    clock: new ManualClock(new Date(ACCEPTED_AT)),
    directory: directoryOf(
      ({ id = '', name = '' }) => ({ kind: 'known', id, name }),
      () => {
        if (broken) throw new TypeError('no such thing');
        return undefined;
      },
    ),
    onProcessed: () => undefined,
    onHookItem: () => undefined,
  });
  const transactions = new CheckpointTransactions({ connection, racingIndexes: [OPEN_ALIAS] });
  consumer = new BatchConsumer({
    kafka,
    groupId: `${topicPrefix}alert-processor`,
    publisher,
    clock: systemClock,
    logger,
    subscriptions: [consume(AlertCommands, alertCommands(commands, opened.ledger), transactions)],
    checkpoints: new MongoCheckpoints(connection),
    onFatal: (error) => {
      throw error;
    },
  });
  await consumer.start();
});

afterAll(async () => {
  await consumer.stop();
  await publisher.stop();
  for (const kafka of connections) await kafka.stop();
  await connection.dropDatabase();
  await connection.close();
});

const processed = () =>
  eventually(async () => {
    expect(await consumer.pending()).toBe(0);
  });

/** Redrives every dead letter, like one operator does. */
async function redriveAll(kafka: KafkaConnection): Promise<number> {
  const box = new DeadLetterRedrive({ kafka, clock: systemClock });
  let redriven = 0;
  await box.redrive(await box.entries(), ({ refused }) => {
    expect(refused).toBeUndefined();
    redriven += 1;
  });
  return redriven;
}

describe('commands that became dead letters', () => {
  it('are processed once when they are redriven after the fix, twice and by two operators at once', async () => {
    const responders = [{ type: 'team', id: 'ops' }] as const;
    const odd = [create('disk', { alert: { responders: [...responders] } })];
    for (const name of ['fan', 'door']) odd.push(create(name, { alert: { responders: [...responders] }, note: name }));
    await publisher.publish(AlertCommands, [...odd, create('fine')]);
    await processed();
    const requestIds = odd.map(({ requestId }) => requestId);
    const failed = await storage.statuses.find(requestIds);
    expect(failed.map(({ status }) => status)).toEqual(
      Array<string>(3).fill('Could not be processed: TypeError: no such thing'),
    );
    expect(await storage.reader.find(byAlias('fine'))).toMatchObject({ count: 1 });

    broken = false;
    await publisher.publish(AlertCommands, [create('disk'), addNote(byAlias('disk'), 'came before it')]);
    const [, one, another] = connections as [KafkaConnection, KafkaConnection, KafkaConnection];
    expect(await Promise.all([redriveAll(one), redriveAll(another)])).toEqual([3, 3]);
    await processed();
    await redriveAll(one);
    await processed();

    const statuses = await storage.statuses.find(requestIds);
    expect(new Set(statuses.map(({ status }) => status))).toEqual(
      new Set(['Created alert', statuses.find(({ alias }) => alias === 'disk')?.status]),
    );
    expect(statuses.map(({ success }) => success)).toEqual([true, true, true]);
    expect(await storage.reader.find(byAlias('disk'))).toMatchObject({ count: 2 });
    const fan = await storage.reader.find(byAlias('fan'));
    expect(fan).toMatchObject({ count: 1, responders, version: 1 });
    const history = { alertId: fan?.id ?? '', order: 'asc', after: undefined, limit: 10 } as const;
    expect(await storage.reader.notes(history)).toHaveLength(1);
    const facts = (await storage.events()).flatMap((event) => event.facts);
    const counts = requestIds.map((requestId) => facts.filter(({ factId }) => factId === requestId).length);
    // A repeat is not published.
    expect(counts).toEqual([0, 1, 1]);
  });
});

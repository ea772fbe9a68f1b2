import { ALL_TOPICS, AlertCommands } from '@tocsin/contracts';
import { systemClock } from '@tocsin/clock';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/messaging';
import { connectMongo, migrate } from '@tocsin/persistence';
import { eventually, readTopic, startKafka, testMongo } from '@tocsin/testing';
import { Timers, type DueTimer } from '@tocsin/timers';
import { expect, it } from '@jest/globals';
import type { TimerPayload } from '../domain/alarms.ts';
import { indexPlans, TIMERS } from '../storage/collections.ts';
import { TimerCommands } from './timer-commands.ts';

const TIMERS_DUE = 20;
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

it('publishes the commands of timers that fell due while Kafka was away as first tries, once it is back', async () => {
  const broker = await startKafka();
  const mongo = await testMongo();
  const connection = await connectMongo(mongo);
  await migrate(connection, indexPlans);
  const topics = ALL_TOPICS.filter(({ name }) => name === AlertCommands.name);
  await ensureTopics({ brokers: [broker.brokers], prefix: '', topics, partitions: 1 });
  const kafka = new KafkaConnection({ brokers: [broker.brokers], clientId: 'test', topicPrefix: '', logger });
  const publisher = new BatchingPublisher({ kafka, logger, topics, deadlineMs: 500 });
  await publisher.start();
  let failures = 0;
  const tries = new Set<number>();
  const commands = new TimerCommands<DueTimer<TimerPayload>>({
    publisher,
    remove: (due) => timers.remove(due),
    clock: systemClock,
  });
  const timers: Timers<TimerPayload> = new Timers<TimerPayload>({
    connection,
    collection: TIMERS,
    clock: systemClock,
    logger: { error: () => undefined },
    fire: async (due) => {
      for (const { attempts } of due) tries.add(attempts);
      await commands.fire(due).catch((error: unknown) => {
        failures += 1;
        throw error;
      });
    },
  });
  try {
    await broker.kill();
    const ids = Array.from({ length: TIMERS_DUE }, (_, index) => `t${String(index)}`);
    const dueAt = new Date(Date.now() - 1_000);
    await timers.schedule(
      undefined,
      ids.map((id) => ({ id, dueAt, fence: 1, payload: { alertId: id } })),
    );
    timers.start();
    await eventually(() => {
      expect(failures).toBeGreaterThanOrEqual(5);
    });
    await broker.restart();
    await eventually(async () => {
      expect(await timers.oldest()).toBeUndefined();
    });
    expect(tries).toEqual(new Set([1]));
    const commanded = await readTopic(kafka, AlertCommands);
    expect(new Set(commanded.map(({ key }) => String(key)))).toEqual(new Set(ids));
  } finally {
    await timers.stop();
    await publisher.stop(500);
    await kafka.stop();
    await connection.dropDatabase();
    await connection.close();
    await broker.stop();
  }
});

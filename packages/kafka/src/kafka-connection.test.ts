import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { Kafka } from 'kafkajs';
import { BatchConsumer } from './batch-consumer.ts';
import { KafkaConnection } from './kafka-connection.ts';
import { RecordingPublisher } from './recording-publisher.ts';
import { TopicReplicas } from './topic-replicas.ts';
import { teamTopic } from './testing/teams.ts';

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const onFatal = () => undefined;
/** No broker listens there. */
const kafka = new KafkaConnection({ brokers: ['127.0.0.1:1'], clientId: 'test', topicPrefix: 't.', logger });
let made: jest.SpiedFunction<Kafka['consumer']>;

beforeEach(() => {
  made = jest.spyOn(Kafka.prototype, 'consumer');
});
afterEach(() => {
  made.mockRestore();
});

/** Whether kafkajs would restart the consumer that was made last, after a crash now. */
const isRestarted = () => made.mock.lastCall?.[0]?.retry?.restartOnFailure?.(new Error('no coordinator'));

it('lets kafkajs restart a consumer that crashes only until it is stopped, or it would keep partitions without reading', async () => {
  const consumer = new BatchConsumer({
    kafka,
    groupId: 'g',
    subscriptions: [],
    publisher: new RecordingPublisher(),
    clock: new ManualClock(new Date(0)),
    logger,
    onFatal,
  });
  expect(await isRestarted()).toBe(true);
  await consumer.stop();
  expect(await isRestarted()).toBe(false);
});

it('does so for the consumer of replicas too', async () => {
  const replicas = new TopicReplicas({ kafka, lookUp: () => Promise.resolve([]), logger, onFatal });
  replicas.add(teamTopic('teams.v1'));
  const starting = replicas.start().catch(() => undefined);
  expect(await isRestarted()).toBe(true);
  await replicas.stop();
  expect(await isRestarted()).toBe(false);
  void starting;
});

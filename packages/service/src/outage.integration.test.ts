import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { defineTopic, type TopicDefinition } from '@tocsin/events';
import {
  BatchConsumer,
  BatchingPublisher,
  ensureTopics,
  KafkaConnection,
  RecordingPublisher,
  consume,
  type Stages,
} from '@tocsin/kafka';
import {
  CheckpointTransactions,
  collectionOf,
  connectMongo,
  migrate,
  MongoCheckpoints,
  persistenceIndexes,
  type Connection,
  type Session,
} from '@tocsin/mongo';
import { casesOf, eventually, startMongo, testKafka, type OwnMongo } from '@tocsin/testkit';
import { mongo as driver } from 'mongoose';
import { z } from 'zod';

interface Effect {
  readonly _id: string;
  readonly times: number;
}

const PARTITIONS = 3;
/** Longer than the driver, transactions and the session of the group wait. */
const OUTAGE_MS = casesOf({ usual: 15_000, deep: 60_000 });

const orders = defineTopic({
  name: 'orders.v1',
  kind: 'commands',
  schema: z.string(),
  key: (message: string) => message,
});

let mongo: OwnMongo;
let connection: Connection;
let deadLetters: RecordingPublisher;
let fatal: Error[];
let warnings: string[];
let ends: (() => Promise<unknown>)[];
/** Runs once, in the middle of a batch: half of its effects are written and nothing is committed. */
let worstMoment: (() => Promise<void>) | undefined;

async function apply(session: Session, values: readonly string[]): Promise<void> {
  if (values.length === 0) return;
  await collectionOf<Effect>(connection, 'effects').bulkWrite(
    values.map((value) => ({
      updateOne: { filter: { _id: value }, update: { $inc: { times: 1 } }, upsert: true },
    })),
    { session },
  );
}

const stages: Stages<string, Session, void, void, readonly string[]> = {
  read: () => Promise.resolve(),
  decide: (_, records) => records.map(({ value }) => value),
  write: settleInHalves,
  deadLetter: (session, { offset }) => apply(session, [`dead letter ${offset}`]),
};

async function settleInHalves(session: Session, values: readonly string[]): Promise<void> {
  const half = Math.ceil(values.length / 2);
  await apply(session, values.slice(0, half));
  const strike = worstMoment;
  worstMoment = undefined;
  await strike?.();
  await apply(session, values.slice(half));
}

/** A running consumer, and the way to send it something. */
async function settling(): Promise<(messages: readonly string[]) => Promise<void>> {
  const { brokers, topicPrefix } = await testKafka();
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_: object, message: string) => warnings.push(message),
    error: (_: object, message: string) => warnings.push(message),
  };
  const topics = [orders] as readonly unknown[] as readonly TopicDefinition<never>[];
  await ensureTopics({ brokers, prefix: topicPrefix, topics, partitions: PARTITIONS });
  const kafka = new KafkaConnection({ brokers, clientId: 'outage', topicPrefix, logger });
  const publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const consumer = new BatchConsumer({
    kafka,
    groupId: `${topicPrefix}outage`,
    subscriptions: [consume(orders, stages, new CheckpointTransactions({ connection }))],
    publisher: deadLetters,
    clock: systemClock,
    logger,
    onFatal: (error) => fatal.push(error),
    checkpoints: new MongoCheckpoints(connection),
  });
  await consumer.start();
  ends.push(
    () => consumer.stop(),
    () => publisher.stop(),
    () => kafka.stop(),
  );
  return (messages) => publisher.publish(orders, messages);
}

function messages(tag: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${tag} ${index}`);
}

/** How often each message had its effect, once there are as many of them as `expected`. */
async function effects(expected: readonly string[]): Promise<Record<string, number>> {
  const stored = collectionOf<Effect>(connection, 'effects');
  await eventually(
    async () => {
      expect(await stored.countDocuments()).toBe(expected.length);
    },
    { everyMs: 200 },
  );
  const found = await stored.find().toArray();
  return Object.fromEntries(found.map(({ _id, times }) => [_id, times]));
}

beforeEach(async () => {
  mongo = await startMongo();
  connection = await connectMongo({ uri: mongo.uri, database: 'outage' });
  await migrate(connection, [...persistenceIndexes, { collection: 'effects', keys: { _id: 1 }, serves: 'this test' }]);
  deadLetters = new RecordingPublisher();
  [fatal, warnings, ends] = [[], [], []];
});

afterEach(async () => {
  for (const end of ends) await end();
  await connection.close();
  await mongo.stop();
});

/** The failures of messages that were sent before `strike`, which comes in the middle of their batch, during and after `outage`. */
async function harmOf(strike: () => Promise<void>, outage: () => Promise<void>) {
  const send = await settling();
  const struck = Promise.withResolvers<undefined>();
  worstMoment = async () => {
    await strike();
    struck.resolve(undefined);
  };
  const [before, meanwhile, afterwards] = [messages('before', 600), messages('meanwhile', 600), messages('after', 600)];
  await send(before);
  await struck.promise;
  await send(meanwhile);
  await outage();
  await send(afterwards);
  const found = await effects([...before, ...meanwhile, ...afterwards]);
  const notOnce = Object.entries(found).filter(([, times]) => times !== 1);
  return { notOnce, deadLetters: deadLetters.published, fatal };
}

const NO_HARM = { notOnce: [], deadLetters: [], fatal: [] };

describe('a consumer whose effects and position are one transaction', () => {
  it('has each effect once when the primary steps down in the middle of a batch', async () => {
    const stepDown = async () => {
      const direct = new driver.MongoClient(`mongodb://127.0.0.1:${mongo.port}/?directConnection=true`);
      await direct.db('admin').command({ replSetStepDown: 5, force: true });
      await direct.close();
    };
    expect(await harmOf(stepDown, () => Promise.resolve())).toEqual(NO_HARM);
  });

  it(`goes on by itself when MongoDB was killed in the middle of a batch and came back after ${OUTAGE_MS / 1_000} s`, async () => {
    const comeBack = async () => {
      await pause(OUTAGE_MS);
      await mongo.restart();
    };
    expect(await harmOf(() => mongo.kill(), comeBack)).toEqual(NO_HARM);
    expect(warnings).not.toEqual([]);
  });
});

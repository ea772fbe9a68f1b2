import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { ALL_TOPICS, Escalations, Schedules, Users, type EscalationState, type ScheduleState } from '@tocsin/contracts';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/key-auth';
import { BatchingPublisher, ensureTopics, KafkaConnection, TopicReplicas, type ReplicaView } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { connectMongo, type Connection } from '@tocsin/persistence';
import { composeService, type Lifecycle } from '@tocsin/service-kit';
import { accountKey, eventually, freePort, serviceEnvironment, SIGNING_KEY } from '@tocsin/testing';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { userOf } from './testing/on-call-samples.ts';

const logger = createLogger('scheduling', 'silent');
const signer = new PrincipalSigner([SIGNING_KEY]);
const ended: (() => Promise<unknown>)[] = [];
let config: Config;
let database: Connection;
let lifecycle: Lifecycle;
/** As another service that runs all the time holds them. */
let schedules: ReplicaView<ScheduleState>;
let escalations: ReplicaView<EscalationState>;

async function start(): Promise<void> {
  ({ lifecycle } = await composeService({ name: 'scheduling', config, compose, clock: systemClock }));
}

beforeAll(async () => {
  const { brokers, topicPrefix, uri, databasePrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
  const directory = createServer((_, response) => response.end('{"data":[]}'));
  await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve));
  const { port } = directory.address() as AddressInfo;
  const ports = { PORT: await freePort(), ADMIN_PORT: await freePort(), DIRECTORY_URL: `http://127.0.0.1:${port}` };
  config = Config.parse({ ...environment, ...ports, LOG_LEVEL: 'silent' });
  const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  const publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  await publisher.publish(Users, [{ id: 'ada', version: { epoch: 1, n: 1 }, deleted: false, state: userOf('ada') }]);
  const replicas = new TopicReplicas({
    kafka,
    logger,
    lookUp: () => Promise.resolve([]),
    onFatal: (error) => {
      throw error;
    },
  });
  schedules = replicas.add(Schedules);
  escalations = replicas.add(Escalations);
  await replicas.start();
  database = await connectMongo({ uri, database: `${databasePrefix}scheduling` });
  ended.push(
    () => new Promise((resolve) => directory.close(resolve)),
    () => database.close(),
    () => database.dropDatabase(),
    () => kafka.stop(),
    () => publisher.stop(),
    () => replicas.stop(),
    () => lifecycle.stop(),
  );
  await start();
}, 120_000);

afterAll(async () => {
  for (const end of ended.toReversed()) await end();
}, 120_000);

async function call(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${config.common.port}${path}`, {
    method,
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(accountKey, 'scheduling', systemClock.now()),
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as { data?: { id: string }; message?: string };
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${message ?? ''}`);
  return data?.id ?? '';
}

/** All documents, by collection. */
async function backUp() {
  const collections = (await database.db?.collections()) ?? [];
  return Promise.all(
    collections.map(async (collection) => ({ collection, documents: await collection.find().toArray() })),
  );
}

async function restore(backup: Awaited<ReturnType<typeof backUp>>): Promise<void> {
  for (const collection of (await database.db?.collections()) ?? []) await collection.deleteMany({});
  for (const { collection, documents } of backup) if (documents.length > 0) await collection.insertMany(documents);
}

const names = () => ({
  schedules: [...schedules.all()].map(({ name }) => name).toSorted(),
  escalations: [...escalations.all()].map(({ name }) => name).toSorted(),
});

const rules = [
  {
    condition: 'if-not-acked',
    notifyType: 'default',
    delay: { timeAmount: 0 },
    recipient: { type: 'user', username: 'ada@example.com' },
  },
];

describe('a database that is restored from a backup while the topics go on', () => {
  it('is what every service knows after the start, without any step on Kafka', async () => {
    const changed = await call('POST', '/v2/schedules', { name: 'Changed later' });
    const removed = await call('POST', '/v2/schedules', { name: 'Removed later' });
    const escalation = await call('POST', '/v2/escalations', { name: 'Changed later', rules });
    const atBackup = { schedules: ['Changed later', 'Removed later'], escalations: ['Changed later'] };
    await eventually(() => {
      expect(names()).toEqual(atBackup);
    });
    const backup = await backUp();
    await call('PATCH', `/v2/schedules/${changed}`, { name: 'Changed' });
    await call('PATCH', `/v2/schedules/${changed}`, { name: 'Changed again' });
    await call('DELETE', `/v2/schedules/${removed}`);
    await call('PATCH', `/v2/escalations/${escalation}`, { name: 'Changed' });
    await call('POST', '/v2/schedules', { name: 'Made later' });
    await eventually(() => {
      expect(names()).toEqual({ schedules: ['Changed again', 'Made later'], escalations: ['Changed'] });
    });
    await lifecycle.stop();
    await restore(backup);
    await start();
    await eventually(() => {
      expect(names()).toEqual(atBackup);
    });
    await call('PATCH', `/v2/schedules/${changed}`, { name: 'Changed anew' });
    await eventually(() => {
      expect(names().schedules).toEqual(['Changed anew', 'Removed later']);
    });
  }, 180_000);
});

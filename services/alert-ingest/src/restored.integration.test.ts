import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { ALL_TOPICS, Integrations, type IntegrationState } from '@tocsin/contracts';
import { BatchingPublisher, ensureTopics, KafkaConnection, TopicReplicas, type ReplicaView } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { connectMongo } from '@tocsin/persistence';
import { composeService, type Lifecycle } from '@tocsin/service-kit';
import { eventually, freePort, serviceEnvironment } from '@tocsin/testing';
import { compose } from './compose.ts';
import { Config } from './config.ts';

const logger = createLogger('alert-ingest', 'silent');
const ended: (() => Promise<unknown>)[] = [];
let config: Config;
let lifecycle: Lifecycle;
let publisher: BatchingPublisher;
/** As another service that runs all the time holds them. */
let integrations: ReplicaView<IntegrationState>;

async function start(): Promise<void> {
  ({ lifecycle } = await composeService({ name: 'alert-ingest', config, compose, clock: systemClock }));
}

beforeAll(async () => {
  const { brokers, topicPrefix, uri, databasePrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
  const ports = { PORT: await freePort(), ADMIN_PORT: await freePort() };
  config = Config.parse({ ...environment, ...ports, LOG_LEVEL: 'silent', BOOTSTRAP_API_KEY: randomUUID() });
  const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const replicas = new TopicReplicas({
    kafka,
    logger,
    lookUp: () => Promise.resolve([]),
    onFatal: (error) => {
      throw error;
    },
  });
  integrations = replicas.add(Integrations);
  await replicas.start();
  const database = await connectMongo({ uri, database: `${databasePrefix}alert_ingest` });
  ended.push(
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

describe('a database that is restored while the topic holds what came after the backup', () => {
  it('is what every service knows after the start: its integrations as they are, and no others', async () => {
    const own = await eventually(() => {
      const found = [...integrations.all()];
      if (found.length === 0) throw new Error('The default integrations are not published yet.');
      return found;
    });
    await lifecycle.stop();
    const version = { epoch: Date.now(), n: 9 };
    const later = (state: IntegrationState) => ({ id: state.id, version, deleted: false as const, state });
    const states = own.map((state) => later({ ...state, enabled: !state.enabled }));
    await publisher.publish(Integrations, [
      ...states,
      ...own.map((state) => later({ ...state, id: `${state.id}-later` })),
    ]);
    await eventually(() => {
      expect([...integrations.all()]).toHaveLength(2 * own.length);
    });
    await start();
    await eventually(() => {
      expect([...integrations.all()]).toEqual(own);
    });
  }, 180_000);
});

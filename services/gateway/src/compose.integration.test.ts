import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { ALL_TOPICS, Integrations, type IntegrationState, type StateMessage } from '@tocsin/contracts';
import { createServiceApp, defineRoute, stateRoute } from '@tocsin/http';
import { hashKey, PrincipalVerifier } from '@tocsin/key-auth';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { composeService, type Lifecycle } from '@tocsin/service-kit';
import { eventually, freePort, testKafka } from '@tocsin/testing';
import { compose } from './compose.ts';
import { Config } from './config.ts';

const topics = ALL_TOPICS.filter(({ name }) => name === Integrations.name);
const SIGNING_KEY = 'a signing key of a test of 32 characters or more';
const oldKey = '0f8fad5b-d9cb-469f-a165-70867728950e';
const newKey = '1f8fad5b-d9cb-469f-a165-70867728950e';

const message = (id: string, key: string, n: number, enabled: boolean): StateMessage<IntegrationState> => ({
  id,
  version: { epoch: 1, n },
  deleted: false,
  state: {
    id,
    name: id,
    type: 'API',
    enabled,
    allowWriteAccess: true,
    allowConfigurationAccess: true,
    suppressNotifications: false,
    keyHash: hashKey(key),
  },
});

/** What alert-ingest knows and has not published yet. */
const atOwner = new Map<string, StateMessage<IntegrationState>>();
let lifecycle: Lifecycle;
let kafka: KafkaConnection;
let owner: Server;
let publisher: BatchingPublisher;
let baseUrl: string;

const create = async (key: string): Promise<number> => {
  const response = await fetch(`${baseUrl}/v2/alerts`, {
    method: 'POST',
    headers: { Authorization: `GenieKey ${key}`, 'Content-Type': 'application/json' },
    body: '{"message":"Disk full"}',
  });
  return response.status;
};

async function startOwner(): Promise<string> {
  const route = defineRoute({
    operation: 'create-alert',
    handle: ({ principal }) => Promise.resolve({ status: 202, body: { result: principal.integrationName } }),
  });
  const app = createServiceApp({
    routes: [route],
    internalRoutes: [stateRoute(Integrations, (_, keyHash) => Promise.resolve(atOwner.get(keyHash)))],
    verifier: new PrincipalVerifier([SIGNING_KEY]),
    clock: systemClock,
    onDefect: () => undefined,
  });
  owner = createHttpServer(app);
  await new Promise<void>((resolve) => owner.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(owner.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const { brokers, topicPrefix } = await testKafka();
  const logger = createLogger('gateway', 'silent');
  await ensureTopics({ brokers, prefix: topicPrefix, topics, partitions: 1 });
  kafka = new KafkaConnection({ brokers, clientId: 'gateway-test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger, topics });
  await publisher.start();
  await publisher.publish(Integrations, [message('old', oldKey, 1, true)]);

  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  const config = Config.parse({
    PORT: String(port),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MONGODB_URI: 'mongodb://unused',
    INTERNAL_SIGNING_KEY: SIGNING_KEY,
    ALERT_INGEST_URL: await startOwner(),
  });
  ({ lifecycle } = await composeService({ name: 'gateway', config, compose, clock: systemClock }));
}, 60_000);

afterAll(async () => {
  await lifecycle.stop();
  await publisher.stop();
  await kafka.stop();
  owner.closeAllConnections();
  owner.close();
}, 30_000);

describe('the gateway on real Kafka', () => {
  it('knows from its first request on every key that was published before it started', async () => {
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
    expect(await create(oldKey)).toBe(202);
  });

  it('takes a key that its owner has and has not published yet (E11)', async () => {
    expect(await create('9f8fad5b-d9cb-469f-a165-70867728950e')).toBe(401);
    atOwner.set(hashKey(newKey), message('new', newKey, 1, true));
    expect(await create(newKey)).toBe(202);
  });

  it('refuses the key of a disabled integration when it hears of it, and takes it again (K2)', async () => {
    await publisher.publish(Integrations, [message('old', oldKey, 2, false)]);
    await eventually(async () => {
      expect(await create(oldKey)).toBe(401);
    });
    await publisher.publish(Integrations, [message('old', oldKey, 3, true)]);
    await eventually(async () => {
      expect(await create(oldKey)).toBe(202);
    });
  });
});

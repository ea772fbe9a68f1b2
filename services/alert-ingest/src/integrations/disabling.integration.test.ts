import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { ALL_TOPICS, Integrations, type IntegrationState, type StateMessage } from '@tocsin/events';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, composeService, type Lifecycle } from '@tocsin/service';
import { eventually, followTopics, freePort, SIGNING_KEY, startKafka, testMongo, type OwnKafka } from '@tocsin/testkit';
import { compose } from '../compose.ts';
import { Config } from '../config.ts';
import { dropDatabase } from '../testing/drop-database.ts';
import { ACCOUNT } from '../testing/app-fixture.ts';

const logger = createLogger('alert-ingest', 'silent');
const signer = new PrincipalSigner([SIGNING_KEY]);
const states: StateMessage<IntegrationState>[] = [];

let broker: OwnKafka;
let config: Config;
let lifecycle: Lifecycle;
let listener: KafkaConnection;

beforeAll(async () => {
  broker = await startKafka();
  const { uri, databasePrefix } = await testMongo();
  const brokers = [broker.brokers];
  await ensureTopics({ brokers, prefix: '', topics: ALL_TOPICS, partitions: 1 });
  config = Config.parse({
    KAFKA_BROKERS: broker.brokers,
    MONGODB_URI: uri,
    MONGODB_DATABASE_PREFIX: databasePrefix,
    INTERNAL_SIGNING_KEY: SIGNING_KEY,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    BOOTSTRAP_API_KEY: randomUUID(),
    PORT: await freePort(),
    ADMIN_PORT: await freePort(),
  });
  ({ lifecycle } = await composeService({ name: 'alert-ingest', config, compose, clock: systemClock }));
  listener = new KafkaConnection({ brokers, clientId: 'listener', topicPrefix: '', logger });
  const endReading = await followTopics(listener, [Integrations], ({ value }) => {
    states.push(JSON.parse(String(value)) as StateMessage<IntegrationState>);
  });
  await lifecycle.start('listener', () => listener, endReading);
});

afterAll(async () => {
  await lifecycle.stop();
  await listener.stop();
  await broker.stop();
  await dropDatabase(config);
});

async function post(path: string, body: object = {}): Promise<{ status: number; data: { id: string } }> {
  const response = await fetch(`http://127.0.0.1:${config.common.port}${path}`, {
    method: 'POST',
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(ACCOUNT, 'alert-ingest', systemClock.now()),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, data: ((await response.json()) as { data: { id: string } }).data };
}

const enabledOf = (id: string) =>
  states.flatMap((message) => (message.id === id && !message.deleted ? [message.state.enabled] : []));

describe('a disable', () => {
  it('that cannot be published answers 503; when Kafka is back it is published, and answers 200 (K2)', async () => {
    const { data } = await post('/v2/integrations', { type: 'API', name: 'Probe' });
    await eventually(() => {
      expect(enabledOf(data.id)).toEqual([true]);
    });
    await broker.pause();
    expect((await post(`/v2/integrations/${data.id}/disable`)).status).toBe(503);
    broker.resume();
    await eventually(async () => {
      expect((await post(`/v2/integrations/${data.id}/disable`)).status).toBe(200);
    });
    await eventually(() => {
      expect(enabledOf(data.id).at(-1)).toBe(false);
    });
  });
});

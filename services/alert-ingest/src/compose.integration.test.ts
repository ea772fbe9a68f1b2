import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { AlertCommand, AlertCommands, ALL_TOPICS, Integrations } from '@tocsin/events';
import { hashKey, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, composeService, type Lifecycle } from '@tocsin/service';
import { eventually, followTopics, freePort, serviceEnvironment, SIGNING_KEY } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { DEFAULT_INTEGRATION } from './integrations/integration.ts';
import { dropDatabase } from './testing/drop-database.ts';
import { ACCOUNT } from './testing/app-fixture.ts';

const API_KEY = 'b0b0b0b0-0000-4000-8000-000000000000';
const logger = createLogger('alert-ingest', 'silent');
const signer = new PrincipalSigner([SIGNING_KEY]);

interface Message {
  readonly topic: string;
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const published: Message[] = [];
let config: Config;
let kafka: KafkaConnection;
let service: Lifecycle;
let endReading: () => Promise<void>;

/** Starts the service as its process does, in this one; the answer ends it. */
async function start(): Promise<Lifecycle> {
  const { lifecycle } = await composeService({ name: 'alert-ingest', config, compose, clock: systemClock });
  return lifecycle;
}

beforeAll(async () => {
  const { brokers, topicPrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 2 });
  config = Config.parse({
    ...environment,
    LOG_LEVEL: 'silent',
    PORT: await freePort(),
    ADMIN_PORT: await freePort(),
    BOOTSTRAP_API_KEY: API_KEY,
  });
  kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  endReading = await followTopics(kafka, [AlertCommands, Integrations], ({ topic, key, value }) => {
    published.push({ topic, key: String(key), value: JSON.parse(String(value)) as Message['value'] });
  });
  service = await start();
});

afterAll(async () => {
  await service.stop();
  await endReading();
  await kafka.stop();
  await dropDatabase(config);
});

async function call(method: string, path: string, body: object): Promise<{ status: number; body: { data?: unknown } }> {
  const response = await fetch(`http://127.0.0.1:${config.common.port}${path}`, {
    method,
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(ACCOUNT, 'alert-ingest', systemClock.now()),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { data?: unknown } };
}

const commands = () =>
  published.filter(({ topic }) => topic === 'alert-commands.v1').map(({ value }) => AlertCommand.parse(value));
const statesOf = (id: string) =>
  published.filter(({ topic, key }) => topic === 'integrations.v1' && key === id).map(({ value }) => value);

describe('the composed service', () => {
  it('puts every write that it answered with 202 on Kafka, once, and those of one identifier in their order', async () => {
    const writes = Array.from({ length: 100 }, async (_, index) => {
      const alias = `alias-${index}`;
      const answers = [
        await call('POST', '/v2/alerts', { message: 'Disk full', alias }),
        await call('POST', `/v2/alerts/${alias}/notes?identifierType=alias`, { note: 'on it' }),
        await call('POST', `/v2/alerts/${alias}/close?identifierType=alias`, {}),
      ];
      return answers.map(({ status }) => status);
    });
    expect((await Promise.all(writes)).flat()).toEqual(Array.from({ length: 300 }, () => 202));
    await eventually(() => {
      expect(commands()).toHaveLength(300);
    });
    const kinds = Map.groupBy(commands(), ({ identifier }) => identifier.value);
    for (const ofOne of kinds.values()) expect(ofOne.map(({ kind }) => kind)).toEqual(['create', 'add-note', 'close']);
  });

  it('publishes a new integration, and that it is disabled', async () => {
    const { status, body } = await call('POST', '/v2/integrations', { type: 'API', name: 'Probe' });
    expect(status).toBe(201);
    const { id } = body.data as { id: string };
    expect((await call('POST', `/v2/integrations/${id}/disable`, {})).status).toBe(200);
    await eventually(() => {
      expect(statesOf(id).at(-1)).toMatchObject({ version: { n: 2 }, state: { enabled: false } });
    });
  });

  it('has its default integration from the first start, and the same one after the next', async () => {
    const states = () => statesOf(DEFAULT_INTEGRATION.id);
    await eventually(() => {
      expect(states().at(-1)).toMatchObject({ version: { n: 1 }, state: { keyHash: hashKey(API_KEY), enabled: true } });
    });
    await service.stop();
    const before = states().length;
    service = await start();
    await eventually(() => {
      expect(states().length).toBeGreaterThan(before);
    });
    expect(new Set(states().map((state) => JSON.stringify(state))).size).toBe(1);
  });
});

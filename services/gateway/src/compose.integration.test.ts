import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { systemClock } from '@tocsin/core';
import {
  ALL_TOPICS,
  type AlertEvent,
  AlertEvents,
  Escalations,
  Integrations,
  type IntegrationState,
  Roles,
  Schedules,
  type ScheduleState,
  Sessions,
  type StateMessage,
  Teams,
  Users,
} from '@tocsin/events';
import {
  createServiceApp,
  defineRoute,
  rawBody,
  readForm,
  stateRoutes,
  hashKey,
  hashSessionToken,
  PrincipalVerifier,
} from '@tocsin/http';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, VERSION, composeService, type Lifecycle } from '@tocsin/service';
import { eventually, freePort, testKafka } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { ada } from './testing/stage.ts';

const READ: readonly string[] = [AlertEvents, Escalations, Integrations, Roles, Schedules, Sessions, Teams, Users].map(
  ({ name }) => name,
);
const topics = ALL_TOPICS.filter(({ name }) => READ.includes(name));
const SIGNING_KEY = 'a signing key of a test of 32 characters or more';
const PIECE = 65_536;
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
    allowReadAccess: true,
    allowWriteAccess: true,
    allowConfigurationAccess: true,
    suppressNotifications: false,
    keyHash: hashKey(key),
  },
});

/** Keys that alert-ingest has and has not published yet. */
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

/** The last upload. It emits an event with its first bytes, before the others have come. */
const arriving = new EventEmitter();

const fileRoutes = [
  defineRoute({
    operation: 'add-attachment',
    body: rawBody,
    handle: async ({ body }) => {
      const { taken } = await readForm(body, { file: 'file', fields: z.object({}) }, async ({ bytes }) => {
        const hash = createHash('sha256');
        let length = 0;
        for await (const chunk of bytes) {
          if (length === 0) arriving.emit('begun');
          length += chunk.length;
          hash.update(chunk);
        }
        return `${length} ${hash.digest('hex')}`;
      });
      return { status: 201, body: { result: 'Created', data: { id: taken } } };
    },
  }),
  defineRoute({
    operation: 'download-attachment',
    handle: ({ params }) => {
      const length = Number(params['token']);
      const content = { length, bytes: Readable.from(zeros(length), { objectMode: false }) as AsyncIterable<Buffer> };
      return Promise.resolve({ file: { name: 'zeros', type: 'application/octet-stream', content } });
    },
  }),
];

function* zeros(length: number): Generator<Buffer, void> {
  for (let left = length; left > 0; left -= PIECE) yield Buffer.alloc(Math.min(left, PIECE));
}

async function startOwner(): Promise<string> {
  const route = defineRoute({
    operation: 'create-alert',
    handle: () => Promise.resolve({ status: 202, body: { result: 'Request will be processed' as const } }),
  });
  const meaningOf = (error: unknown) => error;
  const shared = { clock: systemClock, onDefect: () => undefined, meaningOf };
  const ingest = createServiceApp({
    ...shared,
    routes: [route],
    internalRoutes: stateRoutes(Integrations, (_, hashes) =>
      Promise.resolve(hashes.map((hash) => atOwner.get(hash)).filter((state) => state !== undefined)),
    ),
    verifier: new PrincipalVerifier([SIGNING_KEY], 'alert-ingest'),
  });
  const processor = createServiceApp({
    ...shared,
    routes: fileRoutes,
    verifier: new PrincipalVerifier([SIGNING_KEY], 'alert-processor'),
  });
  owner = createHttpServer((request, response) => {
    (request.url?.includes('/attachments') === true ? processor : ingest)(request, response);
  });
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

  const ownerUrl = await startOwner();
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
    ...Object.fromEntries(['ALERT_INGEST_URL', 'ALERT_PROCESSOR_URL'].map((name) => [name, ownerUrl])),
  });
  ({ lifecycle } = await composeService({ name: 'gateway', config, compose, clock: systemClock }));
});

afterAll(async () => {
  await lifecycle.stop();
  await publisher.stop();
  await kafka.stop();
  owner.closeAllConnections();
  owner.close();
});

describe('the gateway on real Kafka', () => {
  it('knows from its first request on every key that was published before it started', async () => {
    expect(await (await fetch(`${baseUrl}/healthz`)).json()).toMatchObject({ result: 'OK', version: VERSION });
    expect(await create(oldKey)).toBe(202);
  });

  it('accepts a key that alert-ingest has not published yet (E11)', async () => {
    expect(await create('9f8fad5b-d9cb-469f-a165-70867728950e')).toBe(401);
    atOwner.set(hashKey(newKey), message('new', newKey, 1, true));
    expect(await create(newKey)).toBe(202);
  });

  it('refuses the key of a disabled integration once that is published, and accepts it again (K2)', async () => {
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

describe('the API description', () => {
  it('names the version that runs', async () => {
    expect(await (await fetch(`${baseUrl}/openapi.json`)).json()).toMatchObject({ info: { version: VERSION } });
  });
});

describe('long bodies', () => {
  it('pass the gateway as they come: the service has the beginning before the caller sends the end', async () => {
    const bytes = randomBytes(20_000_000);
    const end = Buffer.from('\r\n--B--\r\n');
    async function* form(): AsyncGenerator<Buffer, void> {
      yield Buffer.from('--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
      const begun = once(arriving, 'begun');
      yield bytes.subarray(0, PIECE);
      await begun;
      yield bytes.subarray(PIECE);
      yield end;
    }
    const response = await fetch(`${baseUrl}/v2/alerts/x/attachments`, {
      method: 'POST',
      headers: { Authorization: `GenieKey ${oldKey}`, 'Content-Type': 'multipart/form-data; boundary=B' },
      body: ReadableStream.from(form()),
      duplex: 'half',
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { data: { id: `${bytes.length} ${sha256}` } },
    ]);
  });

  it('are sent to a caller with a link, without a key', async () => {
    const response = await fetch(`${baseUrl}/v2/attachments/20000000`);
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 20_000_000]);
  });
});

describe('a page that follows changes (L1)', () => {
  const token = 'a'.repeat(43);
  const state = (n: number) => ({ version: { epoch: 1, n }, deleted: false }) as const;
  const schedule = (n: number): StateMessage<ScheduleState> => ({
    ...state(n),
    id: 'nights',
    state: {
      id: 'nights',
      name: 'Nights',
      description: '',
      enabled: true,
      timezone: 'UTC',
      rotations: [],
    },
  });
  const alertEvent = (version: number): AlertEvent => ({
    alertId: 'disk',
    version,
    acceptedAt: '2026-01-01T00:00:00.000Z',
    facts: [],
    state: {} as never,
  });

  async function signIn(id: string, itsToken: string): Promise<void> {
    const at = { lastUsedAt: new Date().toISOString(), expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    const session = { id, userId: 'ada', tokenHash: hashSessionToken(itsToken), ...at };
    await publisher.publish(Users, [{ ...state(1), id: 'ada', state: ada }]);
    await publisher.publish(Sessions, [{ ...state(1), id, state: session }]);
  }

  /** The events of the stream of the session, after `ready`, and its end. */
  async function follow(itsToken: string): Promise<{ readonly text: () => string; readonly end: Promise<void> }> {
    const response = await eventually(async () => {
      const answer = await fetch(`${baseUrl}/console/api/changes`, {
        headers: { Cookie: `tocsin-session=${itsToken}` },
      });
      if (answer.status !== 200) await answer.body?.cancel();
      expect(answer.status).toBe(200);
      return answer;
    });
    let text = '';
    const read = async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece).toString();
    };
    const end = read();
    await eventually(() => {
      expect(text).toContain('event: ready');
    });
    return { text: () => text, end };
  }

  it('has hints of what is published from `ready` on, and ends with its session', async () => {
    await signIn('s1', token);
    await publisher.publish(AlertEvents, [alertEvent(1)]);
    const { end, text } = await follow(token);
    await publisher.publish(Schedules, [schedule(2)]);
    await publisher.publish(AlertEvents, [alertEvent(2)]);
    await eventually(() => {
      expect(text()).toContain('"schedules":[{"id":"nights","version":"1.2"}]');
      expect(text()).toContain('"alerts":[{"id":"disk","version":"2"}]');
    });
    expect(text()).not.toContain('"id":"disk","version":"1"');
    await publisher.publish(Sessions, [{ version: { epoch: 1, n: 2 }, id: 's1', deleted: true }]);
    await end;
  });

  it('has its stream ended when the gateway stops', async () => {
    const other = 'b'.repeat(43);
    await signIn('s2', other);
    const { end, text } = await follow(other);
    await Promise.all([lifecycle.stop(), end]);
    expect(text()).toContain('event: ready');
  });
});

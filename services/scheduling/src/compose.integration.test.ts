import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import {
  AlertEvents,
  ALL_TOPICS,
  Decisions,
  Escalations,
  Pages,
  Schedules,
  Users,
  type AlertEvent,
} from '@tocsin/events';
import { PRINCIPAL_HEADER, PrincipalSigner, type Caller } from '@tocsin/http';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, composeService, type Lifecycle } from '@tocsin/service';
import { connectMongo } from '@tocsin/mongo';
import { accountKey, eventually, followTopics, freePort, serviceEnvironment, SIGNING_KEY } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { userOf } from './testing/on-call-samples.ts';

const logger = createLogger('scheduling', 'silent');
const signer = new PrincipalSigner([SIGNING_KEY]);
const directory: Caller = { service: 'directory' };

interface Message {
  readonly topic: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const published: Message[] = [];
let config: Config;
let kafka: KafkaConnection;
let publisher: BatchingPublisher;
let routingRules: Server;
let endReading: () => Promise<void>;

/** Listens on a free port of this machine. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts the service as its process does, in this one; the answer ends it. */
async function start(): Promise<Lifecycle> {
  const { lifecycle } = await composeService({ name: 'scheduling', config, compose, clock: systemClock });
  return lifecycle;
}

beforeAll(async () => {
  const { brokers, topicPrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 2 });
  routingRules = createServer((_, response) => response.end('{"data":[]}'));
  config = Config.parse({
    ...environment,
    LOG_LEVEL: 'silent',
    PORT: await freePort(),
    ADMIN_PORT: await freePort(),
    DIRECTORY_URL: `http://127.0.0.1:${await listening(routingRules)}`,
    ACCOUNT_TIMEZONE: 'Europe/Rome',
  });
  kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  endReading = await followTopics(kafka, [Schedules, Escalations, Pages, Decisions], ({ topic, value }) => {
    published.push({ topic, value: JSON.parse(String(value)) as Message['value'] });
  });
});

afterAll(async () => {
  await endReading();
  await publisher.stop();
  await kafka.stop();
  routingRules.closeAllConnections();
  routingRules.close();
  const { mongoUri: uri, databasePrefix } = config.common;
  const database = await connectMongo({ uri, database: `${databasePrefix}scheduling` });
  await database.dropDatabase();
  await database.close();
});

async function call(method: string, path: string, body?: object, caller: Caller = accountKey) {
  const response = await fetch(`http://127.0.0.1:${config.common.port}${path}`, {
    method,
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(caller, 'scheduling', systemClock.now()),
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data?: { id: string } };
  return { status: response.status, data: answer.data };
}

/** Resolves once a message with the fields of `wanted` is on `topic`. */
const announced = (topic: string, wanted: Message['value']) =>
  eventually(() => {
    const isWanted = ({ value }: Message) => Object.entries(wanted).every(([key, each]) => value[key] === each);
    if (published.some((message) => message.topic === topic && isWanted(message))) return;
    throw new Error(`${topic} lacks ${JSON.stringify(wanted)}`);
  });

function alertFor(scheduleId: string): AlertEvent {
  const at = systemClock.now().toISOString();
  return {
    alertId: 'alert-1',
    version: 1,
    state: {
      status: 'open',
      acknowledged: false,
      snoozed: false,
      cycle: 1,
      notifications: { kind: 'active' },
      flowStartedAt: at,
      flow: { responders: 1 },
      tinyId: '1',
      alias: 'disk',
      message: 'Disk full',
      description: '',
      source: '',
      entity: '',
      priority: 'P3',
      owner: '',
      tags: [],
      actions: [],
      details: {},
      createdAt: at,
      responders: [{ type: 'schedule', id: scheduleId }],
      integration: { id: 'i', name: 'n', type: 'API' },
    },
    facts: [{ factId: 'fact-1', kind: 'created', actor: 'Alert API', at }],
    acceptedAt: at,
  };
}

describe('the service on real Kafka and MongoDB', () => {
  it('keeps and announces configuration, says who is on call and pages them', async () => {
    await publisher.publish(Users, [{ id: 'ada', version: { epoch: 1, n: 1 }, deleted: false, state: userOf('ada') }]);
    const lifecycle = await start();
    const participants = [{ type: 'user', username: 'ada@example.com' }];
    const { status, data } = await call('POST', '/v2/schedules', {
      name: 'Ops',
      rotations: [{ startDate: '2026-01-01T00:00:00Z', type: 'daily', participants }],
    });
    expect(status).toBe(201);
    const id = data?.id ?? '';
    await announced('schedules.v1', { id, deleted: false });
    const onCall = await call('GET', `/v2/schedules/${id}/on-calls?flat=true`);
    expect(onCall.data).toMatchObject({ onCallRecipients: ['ada@example.com'] });

    await publisher.publish(AlertEvents, [alertFor(id)]);
    await announced('pages.v1', { alertId: 'alert-1', userId: 'ada', actionType: 'create-alert' });
    await announced('decisions.v1', { alertId: 'alert-1', stage: 'route' });
    await lifecycle.stop();
  });

  it('stopped and started again has everything that it had, and announces it anew', async () => {
    const before = published.filter(({ topic }) => topic === 'schedules.v1').length;
    const lifecycle = await start();
    await eventually(() => {
      expect(published.filter(({ topic }) => topic === 'schedules.v1').length).toBeGreaterThan(before);
    });
    const { data } = await call('PUT', '/internal/teams/team-1/defaults', { teamName: 'Web' }, directory);
    const { scheduleId, escalationId } = data as unknown as { scheduleId: string; escalationId: string };
    await announced('escalations.v1', { id: escalationId, deleted: false });
    expect((await call('DELETE', '/v2/escalations/Web_escalation?identifierType=name')).status).toBe(200);
    expect((await call('DELETE', `/v2/schedules/${scheduleId}`)).status).toBe(200);
    await announced('escalations.v1', { id: escalationId, deleted: true });
    expect((await call('GET', '/v2/schedules/Ops?identifierType=name')).status).toBe(200);
    await lifecycle.stop();
  });

  it('lets one of 50 creates of a name through, and announces no change where there is none', async () => {
    const lifecycle = await start();
    const creates = Array.from({ length: 50 }, () => call('POST', '/v2/schedules', { name: 'Once' }));
    const cache = await Promise.all(creates);
    expect(cache.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(49).fill(409)]);
    const path = `/v2/schedules/${cache.find(({ data }) => data !== undefined)?.data?.id}`;

    const participants = [{ type: 'none' }];
    const rotation = { startDate: '2026-01-01T00:00:00Z', type: 'daily', participants };
    const added = await Promise.all(Array.from({ length: 10 }, () => call('POST', `${path}/rotations`, rotation)));
    expect(added.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const { data } = await call('GET', path);
    const names = (data as unknown as { rotations: { name: string }[] }).rotations.map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 10 }, (_, n) => `Rot${n + 1}`));
    expect((await call('PATCH', path, data)).status).toBe(200);
    expect((await call('PATCH', path, { name: 'Renamed' })).status).toBe(200);
    const { data: state } = await call('GET', '/internal/states/schedules.v1?name=Renamed', undefined, directory);
    // Created, ten rotations, renamed.
    expect(state).toMatchObject({ version: { n: 12 } });
    await lifecycle.stop();
  });
});

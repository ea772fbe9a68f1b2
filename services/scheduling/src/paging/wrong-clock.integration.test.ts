import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FollowingClock, systemClock } from '@tocsin/core';
import { AlertEvents, ALL_TOPICS, Pages, Users, type AlertEvent, type Page } from '@tocsin/events';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, composeService, type Lifecycle } from '@tocsin/service';
import { connectMongo } from '@tocsin/mongo';
import { accountKey, eventually, followTopics, freePort, serviceEnvironment, SIGNING_KEY } from '@tocsin/testkit';
import { compose } from '../compose.ts';
import { Config } from '../config.ts';
import { userOf } from '../testing/on-call-samples.ts';

const ALERTS = 12;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Before now the alerts were made, so that the rule of the first minute is due in a moment. */
const MADE_BEFORE_MS = MINUTE_MS - 5_000;

const logger = createLogger('scheduling', 'silent');
const pages: Page[] = [];
const ended: (() => Promise<unknown>)[] = [];
let environment: Readonly<Record<string, string>>;
let publisher: BatchingPublisher;

/** A process of scheduling on a machine whose clock is ahead by so much. */
async function start(aheadMs: number): Promise<{ readonly port: number; readonly lifecycle: Lifecycle }> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort), INSTANCE: String(aheadMs) };
  const config = Config.parse({ ...environment, ...ports, LOG_LEVEL: 'silent' });
  const clock = new FollowingClock({ systemMs: () => Date.now() + aheadMs });
  const { lifecycle } = await composeService({ name: 'scheduling', config, compose, clock, realClock: clock });
  ended.push(() => lifecycle.stop());
  return { port, lifecycle };
}

beforeAll(async () => {
  const { brokers, topicPrefix, uri, databasePrefix, environment: own } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 4 });
  const directory = createServer((_, response) => response.end('{"data":[]}'));
  await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve));
  environment = { ...own, DIRECTORY_URL: `http://127.0.0.1:${(directory.address() as AddressInfo).port}` };
  const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const endReading = await followTopics(kafka, [Pages], ({ value }) => {
    pages.push(JSON.parse(String(value)) as Page);
  });
  const database = await connectMongo({ uri, database: `${databasePrefix}scheduling` });
  ended.push(
    () => database.close(),
    () => database.dropDatabase(),
    () => new Promise((resolve) => directory.close(resolve)),
    () => kafka.stop(),
    () => publisher.stop(),
    endReading,
  );
});

afterAll(async () => {
  for (const end of ended.toReversed()) await end();
});

function alertFor(escalationId: string, number: number, at: Date): AlertEvent {
  return {
    alertId: `alert-${number}`,
    version: 1,
    state: {
      status: 'open',
      acknowledged: false,
      snoozed: false,
      cycle: 1,
      notifications: { kind: 'active' },
      flowStartedAt: at.toISOString(),
      flow: { responders: 1 },
      tinyId: String(number),
      alias: `disk-${number}`,
      message: 'Disk full',
      description: '',
      source: '',
      entity: '',
      priority: 'P3',
      owner: '',
      tags: [],
      actions: [],
      details: {},
      createdAt: at.toISOString(),
      responders: [{ type: 'escalation', id: escalationId }],
      integration: { id: 'i', name: 'n', type: 'API' },
    },
    facts: [{ factId: `fact-${number}`, kind: 'created', actor: 'Alert API', at: at.toISOString() }],
    acceptedAt: at.toISOString(),
  };
}

/** Ada at once, Grace after a minute, Edsger after half an hour. */
async function createEscalation(port: number): Promise<string> {
  const steps = Object.entries({ ada: 0, grace: 1, edsger: 30 });
  const rules = steps.map(([name, timeAmount]) => ({
    condition: 'if-not-acked',
    notifyType: 'default',
    delay: { timeAmount, timeUnit: 'minutes' },
    recipient: { type: 'user', username: `${name}@example.com` },
  }));
  const signer = new PrincipalSigner([SIGNING_KEY]);
  const response = await fetch(`http://127.0.0.1:${port}/v2/escalations`, {
    method: 'POST',
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(accountKey, 'scheduling', systemClock.now()),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Steps', rules }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

const paged = (userId: string): readonly number[] =>
  pages.filter((page) => page.userId === userId).map(({ pagedAt }) => Date.parse(pagedAt));

describe('two processes on one database, one of them on a machine whose clock is an hour ahead', () => {
  it('page all users at their times', async () => {
    const states = ['ada', 'grace', 'edsger'].map((id) => ({
      id,
      version: { epoch: 1, n: 1 },
      deleted: false as const,
      state: userOf(id),
    }));
    await publisher.publish(Users, states);
    const ahead = await start(HOUR_MS);
    await start(0);
    const escalationId = await createEscalation(ahead.port);
    const madeAt = Date.now() - MADE_BEFORE_MS;
    const numbers = Array.from({ length: ALERTS }, (_, number) => number);
    await publisher.publish(
      AlertEvents,
      numbers.map((number) => alertFor(escalationId, number, new Date(madeAt))),
    );
    await eventually(() => {
      expect(new Set(pages.map(({ alertId, userId }) => `${alertId} ${userId}`)).size).toBeGreaterThanOrEqual(
        2 * ALERTS,
      );
    });
    expect(paged('edsger')).toEqual([]);
    expect(Math.min(...paged('grace'))).toBeGreaterThanOrEqual(madeAt + MINUTE_MS);
    expect(Math.max(...paged('ada'), ...paged('grace'))).toBeLessThan(Date.now() + MINUTE_MS);
  });
});

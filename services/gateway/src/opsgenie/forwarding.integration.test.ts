import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import {
  ALL_TOPICS,
  type IntegrationState,
  Integrations,
  SHADOW_SWITCH,
  ShadowSwitches,
  type ShadowSwitchState,
  type StateMessage,
  SHADOW_TIMING,
} from '@tocsin/events';
import { createServiceApp, defineRoute, hashKey, PrincipalVerifier, stateRoutes } from '@tocsin/http';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { eventually, freePort, processEnvironment, testKafka } from '@tocsin/testkit';
import { integration } from '../testing/stage.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const SIGNING_KEY = 'a signing key of a test of 32 characters or more';
const THEIRS = '9f8fad5b-d9cb-469f-a165-70867728950e';
const IMPORTED = '8f8fad5b-d9cb-469f-a165-70867728950e';
/** How long directory waits after it has stored that imported keys are no longer handled here. */

type Sides = readonly ['opsgenie' | 'tocsin', number];

let gateway: ChildProcess;
let opsgenie: Server;
let services: Server;
let kafka: KafkaConnection;
let publisher: BatchingPublisher;
let baseUrl: string;
/** What directory answers; undefined: nothing. */
let atDirectory: StateMessage<ShadowSwitchState> | undefined;

const version = (n: number) => ({ version: { epoch: 1, n }, deleted: false as const });
const stateOf = (n: number, importedKeys?: 'here' | 'leaving'): StateMessage<ShadowSwitchState> => ({
  ...version(n),
  id: SHADOW_SWITCH,
  state: { enabled: false, changedAt: '2026-01-01T00:00:00Z', ...(importedKeys !== undefined && { importedKeys }) },
});
const published = (state: IntegrationState): StateMessage<IntegrationState> => ({ ...version(1), id: state.id, state });

/** Which side answers a create. */
async function create(key: string): Promise<Sides> {
  const response = await fetch(`${baseUrl}/v2/alerts`, {
    method: 'POST',
    headers: { Authorization: `GenieKey ${key}`, 'Content-Type': 'application/json' },
    body: '{"message":"Disk full"}',
  });
  const { result } = (await response.json()) as { readonly result: string };
  return [result === 'theirs' ? 'opsgenie' : 'tocsin', response.status];
}

const isAnsweredBy = (side: Sides[0]) =>
  eventually(async () => {
    expect(await create(IMPORTED)).toEqual([side, 202]);
  });

function startServices(): Promise<Server> {
  const shared = { clock: systemClock, onDefect: () => undefined, meaningOf: (error: unknown) => error };
  const appOf = (name: 'alert-ingest' | 'directory', routes: Partial<Parameters<typeof createServiceApp>[0]>) =>
    createServiceApp({ ...shared, routes: [], verifier: new PrincipalVerifier([SIGNING_KEY], name), ...routes });
  const ingest = appOf('alert-ingest', {
    routes: [
      defineRoute({
        operation: 'create-alert',
        handle: () => Promise.resolve({ status: 202, body: { result: 'Request will be processed' as const } }),
      }),
    ],
    internalRoutes: stateRoutes(Integrations, () => Promise.resolve([])),
  });
  const directory = appOf('directory', {
    internalRoutes: stateRoutes(ShadowSwitches, () => Promise.resolve(atDirectory === undefined ? [] : [atDirectory])),
  });
  return listening(
    createServer((request, response) => {
      (request.url?.includes(ShadowSwitches.name) === true ? directory : ingest)(request, response);
    }),
  );
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  const { brokers, topicPrefix } = await testKafka();
  const logger = createLogger('gateway', 'silent');
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
  kafka = new KafkaConnection({ brokers, clientId: 'gateway-test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger, topics: ALL_TOPICS });
  await publisher.start();
  const importedKeyHashes = [hashKey(IMPORTED)];
  await publisher.publish(Integrations, [published(integration('imported', IMPORTED, { importedKeyHashes }))]);
  services = await startServices();
  opsgenie = await listening(
    createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(202).end('{"result":"theirs"}'));
    }),
  );
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MONGODB_URI: 'mongodb://unused',
    INTERNAL_SIGNING_KEY: SIGNING_KEY,
    ALERT_INGEST_URL: urlOf(services),
    DIRECTORY_URL: urlOf(services),
    FORWARD_TO_OPSGENIE: urlOf(opsgenie),
  };
  gateway = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'inherit' });
  await eventually(async () => {
    if ((await fetch(`${baseUrl}/healthz`)).status !== 200) throw new Error('The gateway is not ready.');
  });
});

afterAll(async () => {
  gateway.kill('SIGKILL');
  await publisher.stop();
  await kafka.stop();
  for (const server of [services, opsgenie]) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a gateway that forwards, on real Kafka (M5, M8)', () => {
  it('forwards unknown and imported keys while it does not know the switch, and says nothing of it at /healthz', async () => {
    expect(await create(THEIRS)).toEqual(['opsgenie', 202]);
    expect(await create(IMPORTED)).toEqual(['opsgenie', 202]);
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  });

  it('handles imported keys once directory says that shadow has ended, and forwards them again once the topic says otherwise', async () => {
    atDirectory = stateOf(2, 'here');
    await isAnsweredBy('tocsin');
    expect(await create(THEIRS)).toEqual(['opsgenie', 202]);
    // Directory has an older state, as where its database was restored.
    await publisher.publish(ShadowSwitches, [stateOf(3, 'leaving')]);
    await isAnsweredBy('opsgenie');
    atDirectory = stateOf(4, 'here');
    await isAnsweredBy('tocsin');
  });

  it('forwards imported keys once directory does not answer', async () => {
    atDirectory = undefined;
    await isAnsweredBy('opsgenie');
    expect(await create(IMPORTED)).toEqual(['opsgenie', 202]);
  });

  it('forwards imported keys from its first request on after it was frozen while shadow began', async () => {
    atDirectory = stateOf(5, 'here');
    await isAnsweredBy('tocsin');
    gateway.kill('SIGSTOP');
    atDirectory = stateOf(6, 'leaving');
    const answered = create(IMPORTED);
    await pause(SHADOW_TIMING.effectiveAfterMs);
    gateway.kill('SIGCONT');
    expect(await answered).toEqual(['opsgenie', 202]);
  });

  it('answers for Tocsin as always while Opsgenie is away, and 503 to tools of Opsgenie', async () => {
    opsgenie.closeAllConnections();
    opsgenie.close();
    expect(await create(THEIRS)).toEqual(['tocsin', 503]);
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  });
});

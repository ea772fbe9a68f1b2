import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { ALL_TOPICS, Teams } from '@tocsin/events';
import {
  createServiceApp,
  defineInternalRoute,
  InternalClient,
  type Caller,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
} from '@tocsin/http';
import { ensureTopics, KafkaConnection, TopicReplicas } from '@tocsin/kafka';
import { collectionOf, type Connection, connectMongo } from '@tocsin/mongo';
import {
  eventually,
  freePort,
  type OwnKafka,
  processEnvironment,
  serviceEnvironment,
  SIGNING_KEY,
  startKafka,
  testMongo,
} from '@tocsin/testkit';
import { accountKey } from './testing/app-fixture.ts';

const signer = new PrincipalSigner([SIGNING_KEY]);
/** The headers of the gateway for a request on this machine, where users can sign in over http. */
const LOOPBACK = { 'X-Tocsin-Public-Url': 'http://127.0.0.1:8080' };

/** Believes words for each of the services whose place the double takes. */
class NeighboursVerifier extends PrincipalVerifier {
  readonly #alertIngest = new PrincipalVerifier([SIGNING_KEY], 'alert-ingest');
  readonly #alertProcessor = new PrincipalVerifier([SIGNING_KEY], 'alert-processor');

  override verify(token: string | undefined, now: Date): Promise<Caller> {
    return super
      .verify(token, now)
      .catch(() => this.#alertIngest.verify(token, now))
      .catch(() => this.#alertProcessor.verify(token, now));
  }
}

/** Scheduling, alert-ingest and alert-processor in one server: it can hold back the answer to the making of defaults. */
class OtherServices {
  readonly #server: Server;
  /** Called for each request for defaults; what it returns is awaited before the answer. */
  beforeDefaults: () => Promise<void> = () => Promise.resolve();

  constructor() {
    const done = () => Promise.resolve({ body: { result: 'Deleted' } });
    const app = createServiceApp({
      routes: [],
      internalRoutes: [
        defineInternalRoute({
          method: 'PUT',
          path: '/internal/teams/:teamId/defaults',
          handle: async ({ params: { teamId = '' } }) => {
            await this.beforeDefaults();
            return { body: { data: { scheduleId: `schedule-${teamId}`, escalationId: `escalation-${teamId}` } } };
          },
        }),
        defineInternalRoute({ method: 'DELETE', path: '/internal/teams/:teamId', handle: done }),
        defineInternalRoute({ method: 'DELETE', path: '/internal/teams/:teamId/integrations', handle: done }),
        defineInternalRoute({ method: 'DELETE', path: '/internal/teams/:teamId/policies', handle: done }),
        defineInternalRoute({
          method: 'GET',
          path: '/internal/uses',
          handle: () => Promise.resolve({ body: { data: [] } }),
        }),
      ],
      verifier: new NeighboursVerifier([SIGNING_KEY], 'scheduling'),
      clock: systemClock,
      onDefect: () => undefined,
      meaningOf: (error) => error,
    });
    this.#server = createServer(app);
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const others = new OtherServices();
const children: ChildProcess[] = [];
let environment: Record<string, string>;

beforeAll(async () => {
  const { brokers, topicPrefix, ...given } = await serviceEnvironment();
  const url = await others.listen();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
  environment = {
    ...given.environment,
    SCHEDULING_URL: url,
    ALERT_INGEST_URL: url,
    ALERT_PROCESSOR_URL: url,
    OWNER_EMAIL: 'owner@example.com',
  };
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  others.close();
  const { MONGODB_URI: uri = '', MONGODB_DATABASE_PREFIX: prefix = '' } = environment;
  const connection = await connectMongo({ uri, database: `${prefix}directory` });
  await connection.dropDatabase();
  await connection.close();
});

/** The service as a process of its own, ready. */
async function startProcess(changes: Readonly<Record<string, string>> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--disable-warning=TimeoutNegativeWarning',
      fileURLToPath(new URL('main.ts', import.meta.url)),
    ],
    {
      env: processEnvironment({ ...environment, ...changes, PORT: String(port), ADMIN_PORT: String(adminPort) }),
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  children.push(child);
  await eventually(async () => {
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(200);
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = new InternalClient({
    baseUrl,
    signer,
    caller: 'scheduling',
    audience: 'directory',
    clock: systemClock,
  });
  const send = async (method: string, path: string, body?: unknown, given: Readonly<Record<string, string>> = {}) => {
    const headers = {
      ...given,
      [PRINCIPAL_HEADER]: await signer.sign(accountKey, 'directory', systemClock.now()),
      'content-type': 'application/json',
    };
    return fetch(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  };
  return { child, client, port, send };
}

/** The command of the image that prints a code, run beside the service. */
async function signInCommand(port: number, ...args: readonly string[]) {
  const command = fileURLToPath(new URL('sign-in.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', command, ...args], {
    env: processEnvironment({ ...environment, PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exit, said, complained };
}

/** No operation of the API blocks a user. */
async function block(username: string): Promise<void> {
  const { MONGODB_URI: uri = '', MONGODB_DATABASE_PREFIX: prefix = '' } = environment;
  const connection = await connectMongo({ uri, database: `${prefix}directory` });
  await collectionOf(connection, 'users').updateOne({ username }, { $set: { blocked: true } });
  await connection.close();
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the directory as a process', () => {
  it('has its owner, and serves teams and users', async () => {
    const { child, client, send } = await startProcess();
    const members = [{ user: { username: 'owner@example.com' }, role: 'admin' }];
    expect((await send('POST', '/v2/teams', { name: 'Web', members })).status).toBe(201);
    const state = await client.get('/internal/states/teams.v1?name=Web');
    expect(state).toMatchObject({
      status: 200,
      body: { data: { state: { name: 'Web', members: [{ role: 'admin' }] } } },
    });
    expect((await send('DELETE', '/v2/users/owner@example.com')).status).toBe(428);
    expect((await send('DELETE', '/v2/teams/Web?identifierType=name')).status).toBe(200);
    expect((await send('DELETE', '/v2/users/owner@example.com')).status).toBe(422);
    await killed(child);
  });

  it('gives an operator a code for a user who may sign in, by the command of its image (K23)', async () => {
    const { child, port, send } = await startProcess();
    const { code, complained, said } = await signInCommand(port, 'Owner@example.com');
    expect({ code, complained }).toEqual({ code: 0, complained: expect.stringContaining('Of use until 20') });
    const redeem = () => send('POST', '/console/api/sign-in/redeem', { code: said.trim() }, LOOPBACK);
    expect((await redeem()).status).toBe(200);
    expect((await redeem()).status).toBe(422);

    const blocked = { username: 'blocked@example.com', fullName: 'Blocked', role: { name: 'User' } };
    expect((await send('POST', '/v2/users', blocked)).status).toBe(201);
    await block('blocked@example.com');
    const nothingSaid = { said: '', code: 1 };
    expect(await signInCommand(port, 'blocked@example.com')).toEqual({
      ...nothingSaid,
      complained: 'The user [blocked@example.com] is blocked, and cannot sign in.\n',
    });
    expect(await signInCommand(port, 'unknown@example.com')).toEqual({
      ...nothingSaid,
      complained: 'There is no user with username [unknown@example.com].\n',
    });
    expect(await signInCommand(port, 'unknown')).toMatchObject({ code: 2, said: '' });
    expect(await signInCommand(port)).toMatchObject({ code: 2, said: expect.stringContaining('exec directory') });
    await killed(child);
    expect(await signInCommand(port, 'owner@example.com')).toMatchObject({
      code: 3,
      said: '',
      complained: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('has a team whole within 15 s of the kill of the process that was making it', async () => {
    const { child, send } = await startProcess();
    const asked = new Promise<void>((resolve) => {
      others.beforeDefaults = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const answer = send('POST', '/v2/teams', { name: 'Ops' }).then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    await killed(child);
    expect(await answer).toBe('cut off');
    others.beforeDefaults = () => Promise.resolve();

    const { child: next, client } = await startProcess();
    expect((await client.get('/internal/states/teams.v1?name=Ops')).status).toBe(404);
    await eventually(async () => {
      expect((await client.get('/internal/states/teams.v1?name=Ops')).status).toBe(200);
    });
    await killed(next);
  });
});

describe('a change that was written when the process was killed before it published it', () => {
  let kafka: OwnKafka;
  let connection: Connection;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const [{ uri, databasePrefix }, broker] = [await testMongo(), await startKafka()];
    kafka = broker;
    const brokers = kafka.brokers.split(',');
    await ensureTopics({ brokers, prefix: '', topics: ALL_TOPICS, partitions: 1 });
    connection = await connectMongo({ uri, database: `${databasePrefix}directory` });
    settings = { KAFKA_BROKERS: kafka.brokers, KAFKA_TOPIC_PREFIX: '', MONGODB_DATABASE_PREFIX: databasePrefix };
  });

  afterAll(async () => {
    await connection.dropDatabase();
    await connection.close();
    await kafka.stop();
  });

  /** The messages of the topic, from its beginning. */
  async function followTeams() {
    const nothing = () => undefined;
    const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
    const reader = { brokers: kafka.brokers.split(','), clientId: 'test', topicPrefix: '', logger };
    const replicas = new TopicReplicas({
      kafka: new KafkaConnection(reader),
      lookUp: () => Promise.resolve([]),
      logger,
      onFatal: nothing,
    });
    const teams = replicas.add(Teams, { indexes: { name: ({ name }) => name } });
    await replicas.start();
    return { teams, replicas };
  }

  it('is announced by the next process', async () => {
    const { child, send } = await startProcess(settings);
    expect((await send('POST', '/v2/teams', { name: 'Ops' })).status).toBe(201);
    await kafka.kill();
    const answer = send('PATCH', '/v2/teams/Ops?identifierType=name', { name: 'Web' }).catch(() => undefined);
    await eventually(async () => {
      expect(await collectionOf(connection, 'teams').countDocuments({ name: 'Web' })).toBe(1);
    });
    await killed(child);
    await answer;

    await kafka.restart();
    const { teams, replicas } = await followTeams();
    expect([teams.find('name', 'Ops'), teams.find('name', 'Web')]).toMatchObject([{ description: '' }, undefined]);
    const { child: next } = await startProcess(settings);
    await eventually(() => {
      expect([teams.find('name', 'Ops'), teams.find('name', 'Web')]).toMatchObject([undefined, { description: '' }]);
      return Promise.resolve();
    });
    await replicas.stop();
    await killed(next);
  });
});

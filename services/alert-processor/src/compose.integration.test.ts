import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import {
  AlertCommands,
  AlertEvents,
  ALL_TOPICS,
  Decisions,
  Teams,
  type AlertCommand,
  type AlertEvent,
  type StateMessage,
  type TeamState,
} from '@tocsin/events';
import { InternalClient, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, composeService, type Lifecycle } from '@tocsin/service';
import { connectMongo } from '@tocsin/mongo';
import { accountKey, eventually, followTopics, freePort, serviceEnvironment, SIGNING_KEY } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { team } from './testing/component-fixture.ts';
import { acknowledge, addNote, byAlias, byId, close, create, order } from './testing/commands-samples.ts';

const logger = createLogger('alert-processor', 'silent');
let publisher: BatchingPublisher;
let config: Config;
let kafka: KafkaConnection;

/** Starts the service in this process like its own process does. The result stops it. */
async function start(): Promise<Lifecycle> {
  const { lifecycle } = await composeService({ name: 'alert-processor', config, compose, clock: systemClock });
  return lifecycle;
}

beforeAll(async () => {
  const { brokers, topicPrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 3 });
  config = Config.parse({
    ...environment,
    LOG_LEVEL: 'silent',
    PORT: await freePort(),
    ADMIN_PORT: await freePort(),
    DIRECTORY_URL: 'http://127.0.0.1:1',
    SCHEDULING_URL: 'http://127.0.0.1:1',
  });
  kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
});

afterAll(async () => {
  await publisher.stop();
  await kafka.stop();
  const database = await connectMongo({
    uri: config.common.mongoUri,
    database: `${config.common.databasePrefix}alert_processor`,
  });
  await database.dropDatabase();
  await database.close();
});

async function read(path: string): Promise<{ status: number; body: { data?: unknown } }> {
  const signer = new PrincipalSigner([SIGNING_KEY]);
  const token = await signer.sign(accountKey, 'alert-processor', systemClock.now());
  const url = `http://127.0.0.1:${String(config.common.port)}${path}`;
  const response = await fetch(url, { headers: { [PRINCIPAL_HEADER]: token } });
  return { status: response.status, body: (await response.json()) as { data?: unknown } };
}

const now = () => systemClock.now().toISOString();
const publish = (...commands: AlertCommand[]) => publisher.publish(AlertCommands, commands);

const stateOf = (state: TeamState): StateMessage<TeamState> => ({
  id: state.id,
  version: { epoch: 1, n: 1 },
  deleted: false,
  state,
});

/** The alert as the service answers it, once it matches `wanted`. */
const becomes = (alias: string, wanted: object) =>
  eventually(async () => {
    expect((await read(`/v2/alerts/${alias}?identifierType=alias`)).body).toMatchObject({ data: wanted });
  });

describe('the service on real Kafka and MongoDB', () => {
  it('processes commands, keeps decisions, and answers both', async () => {
    const lifecycle = await start();
    await publisher.publish(Teams, [stateOf(team('ops', 'Ops'))]);
    const command = create('disk', { at: now(), alert: { responders: [{ type: 'team', id: 'ops' }] } });
    const note = addNote(byAlias('disk'), 'looking', { at: now() });
    await publish(command, note, acknowledge(byId(command.alert.alertId), { at: now(), actor: 'ada' }));
    await becomes('disk', { count: 1, status: 'open' });
    // The first read by an alias finds what was published before it (A16).
    await publish(create('at-once', { at: now() }));
    expect(await read('/v2/alerts/at-once?identifierType=alias')).toMatchObject({ status: 200 });

    const status = await read(`/v2/alerts/requests/${note.requestId}`);
    expect(status.body).toMatchObject({ data: { success: true, status: 'Added note', alias: 'disk' } });
    await publisher.publish(Decisions, [
      {
        decisionId: 'route:1',
        alertId: command.alert.alertId,
        stage: 'route',
        at: now(),
        findings: [{ subject: 'on-call', outcome: 'no-recipient', text: 'No user is on call' }],
      },
    ]);
    await eventually(async () => {
      const logs = await read('/v2/alerts/disk/logs?identifierType=alias');
      expect(JSON.stringify(logs.body.data)).toContain('No user is on call');
    });
    await lifecycle.stop();
  });

  it('attaches a kept file to the alert that names it, opens it by a link, and removes it with the alert', async () => {
    const lifecycle = await start();
    const signer = new PrincipalSigner([SIGNING_KEY]);
    const client = new InternalClient({
      baseUrl: `http://127.0.0.1:${String(config.common.port)}`,
      signer,
      caller: 'alert-ingest' as const,
      audience: 'alert-processor',
      clock: systemClock,
    });
    const kept = await client.postBytes(
      '/internal/attachments?name=a.txt&integrationId=mail-1',
      Buffer.from('the bytes'),
    );
    const { id } = kept.body['data'] as { id: string };
    const command = create('files', { at: now(), alert: { attachments: [id] } });
    await publish(command);
    await becomes('files', { count: 1 });
    const { data } = (await read(`/v2/alerts/${command.alert.alertId}/attachments/${id}`)).body;
    const { url } = data as { url: string };
    const word = await signer.sign({ service: 'gateway' }, 'alert-processor', systemClock.now());
    const file = await fetch(url, { headers: { [PRINCIPAL_HEADER]: word } });
    expect([file.status, await file.text()]).toEqual([200, 'the bytes']);
    await publish(order(byAlias('files'), { kind: 'delete' }, { at: now() }));
    const database = await connectMongo({
      uri: config.common.mongoUri,
      database: `${config.common.databasePrefix}alert_processor`,
    });
    await eventually(async () => {
      expect(await database.collection('attachment_bytes.chunks').countDocuments()).toBe(0);
      expect(await database.collection('attachments').countDocuments()).toBe(0);
    });
    await database.close();
    await client.close();
    await lifecycle.stop();
  });

  it('adds a responder whose owner did not answer at first, and starts the flow again', async () => {
    const lifecycle = await start();
    const command = create('late', { at: now(), alert: { responders: [{ type: 'team', name: 'Late' }] } });
    await publish(command);
    await becomes('late', { responders: [] });
    await publisher.publish(Teams, [stateOf(team('late', 'Late'))]);
    await becomes('late', { responders: [{ type: 'team', id: 'late' }], count: 1 });
    const { data } = (await read('/v2/alerts/late/logs?identifierType=alias')).body;
    expect(JSON.stringify(data)).toContain('could not be looked up at first were found');
    await lifecycle.stop();
  });

  it('continues after a restart: one alert of 50 concurrent creates, and each event is published', async () => {
    const events: AlertEvent[] = [];
    const endReading = await followTopics(kafka, [AlertEvents], ({ value }) => {
      events.push(AlertEvents.schema.parse(JSON.parse(String(value))));
    });
    const commands = Array.from({ length: 50 }, () =>
      create('storm', { at: now(), alert: { responders: [{ type: 'team', id: 'ops' }] } }),
    );
    await Promise.all(commands.slice(0, 25).map((command) => publish(command)));
    const lifecycle = await start();
    await Promise.all(commands.slice(25).map((command) => publish(command)));
    await becomes('storm', { count: 50 });
    await becomes('disk', { count: 1 });
    await publish(close(byAlias('storm'), { at: now() }));
    await eventually(() => {
      const own = events.filter(({ state }) => state.alias === 'storm');
      const facts = new Set(own.flatMap((event) => event.facts.map(({ kind }) => kind)));
      expect(facts).toEqual(new Set(['created', 'closed']));
      expect(own.at(-1)?.state.status).toBe('closed');
    });
    await lifecycle.stop();
    await endReading();
  });
});

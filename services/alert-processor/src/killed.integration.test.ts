import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { AlertCommands, AlertEvents, ALL_TOPICS, Teams, type AlertEvent } from '@tocsin/contracts';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { connectMongo, type Connection } from '@tocsin/persistence';
import {
  eventually,
  followTopics,
  processEnvironment,
  serviceEnvironment,
  type ServiceEnvironment,
} from '@tocsin/testing';
import { team } from './testing/component-fixture.ts';
import { addNote, byAlias, create } from './testing/commands-samples.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const COMMANDS = 3_000;
const ALIASES = 60;
const logger = createLogger('alert-processor', 'silent');

let environment: ServiceEnvironment['environment'];
let kafka: KafkaConnection;
let publisher: BatchingPublisher;
let database: Connection;
let running: ChildProcess | undefined;

beforeAll(async () => {
  const { brokers, topicPrefix, uri, databasePrefix, ...given } = await serviceEnvironment();
  environment = given.environment;
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 3 });
  kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  database = await connectMongo({ uri, database: `${databasePrefix}alert_processor` });
}, 120_000);

afterAll(async () => {
  running?.kill('SIGKILL');
  await publisher.stop();
  await kafka.stop();
  await database.dropDatabase();
  await database.close();
}, 120_000);

/** The service as a process of its own. */
function start(): ChildProcess {
  running = spawn(process.execPath, ['--conditions=source', MAIN], {
    env: processEnvironment(environment),
    stdio: 'ignore',
  });
  return running;
}

const settled = (): Promise<number> => database.collection('request_statuses').countDocuments();

async function published(): Promise<readonly AlertEvent[]> {
  const events: AlertEvent[] = [];
  const endReading = await followTopics(kafka, [AlertEvents], ({ value }) => {
    events.push(AlertEvents.schema.parse(JSON.parse(String(value))));
  });
  await eventually(
    () => {
      expect(new Set(events.flatMap(({ facts }) => facts.map(({ factId }) => factId))).size).toBe(COMMANDS);
    },
    { timeoutMs: 60_000 },
  );
  await endReading();
  return events;
}

describe('the service killed while it settles', () => {
  it('settles every command once when it runs again, and publishes every event', async () => {
    const at = systemClock.now().toISOString();
    const responders = [{ type: 'team', id: 'ops' } as const];
    const ops = { id: 'ops', version: { epoch: 1, n: 1 }, deleted: false, state: team('ops', 'Ops') };
    await publisher.publish(Teams, [ops]);
    const commands = Array.from({ length: COMMANDS }, (_, index) => {
      const alias = `disk-${String(index % ALIASES)}`;
      return index < ALIASES
        ? create(alias, { at, alert: { responders } })
        : addNote(byAlias(alias), 'looking', { at });
    });
    await publisher.publish(AlertCommands, commands);
    const first = start();
    await eventually(
      async () => {
        expect(await settled()).toBeGreaterThan(0);
      },
      { timeoutMs: 60_000, everyMs: 2 },
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(await settled()).toBeLessThan(COMMANDS);
    const second = start();
    await eventually(
      async () => {
        expect(await settled()).toBe(COMMANDS);
      },
      { timeoutMs: 60_000 },
    );
    const alerts = await database.collection<{ version: number }>('alerts').find().toArray();
    expect(alerts.map(({ version }) => version)).toEqual(Array<number>(ALIASES).fill(COMMANDS / ALIASES));
    expect(await database.collection('alert_notes').countDocuments()).toBe(COMMANDS - ALIASES);
    const events = await published();
    const last = new Map(events.map((event) => [event.alertId, event]));
    expect(last.size).toBe(ALIASES);
    second.kill('SIGTERM');
    await once(second, 'exit');
  }, 180_000);
});

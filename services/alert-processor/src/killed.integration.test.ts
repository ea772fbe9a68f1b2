import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { AlertCommands, AlertEvents, ALL_TOPICS, Teams, type AlertEvent } from '@tocsin/events';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { connectMongo, type Connection } from '@tocsin/mongo';
import {
  eventually,
  followTopics,
  processEnvironment,
  serviceEnvironment,
  type ServiceEnvironment,
} from '@tocsin/testkit';
import { team } from './testing/component-fixture.ts';
import { MongoConfigurationStore } from './policies/store.ts';
import { addNote, byAlias, byId, close, create } from './testing/commands-samples.ts';
import { condition, notifies } from './testing/policy-rules-samples.ts';

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
});

afterAll(async () => {
  running?.kill('SIGKILL');
  await publisher.stop();
  await kafka.stop();
  await database.dropDatabase();
  await database.close();
});

/** Starts the service as a separate process. */
function start(): ChildProcess {
  running = spawn(process.execPath, ['--conditions=source', MAIN], {
    env: processEnvironment(environment),
    stdio: 'ignore',
  });
  return running;
}

const processed = (): Promise<number> => database.collection('request_statuses').countDocuments();

/** The events that are `wanted`, once they have `count` different facts. */
async function published(count: number, wanted: (event: AlertEvent) => boolean): Promise<readonly AlertEvent[]> {
  const events: AlertEvent[] = [];
  const endReading = await followTopics(kafka, [AlertEvents], ({ value }) => {
    const event = AlertEvents.schema.parse(JSON.parse(String(value)));
    if (wanted(event)) events.push(event);
  });
  await eventually(() => {
    expect(new Set(events.flatMap(({ facts }) => facts.map(({ factId }) => factId))).size).toBe(count);
  });
  await endReading();
  return events;
}

describe('the service killed while it processes', () => {
  it('processes every command once when it runs again, and publishes every event', async () => {
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
        expect(await processed()).toBeGreaterThan(0);
      },
      { everyMs: 2 },
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(await processed()).toBeLessThan(COMMANDS);
    const second = start();
    await eventually(async () => {
      expect(await processed()).toBe(COMMANDS);
    });
    const alerts = await database.collection<{ version: number }>('alerts').find().toArray();
    expect(alerts.map(({ version }) => version)).toEqual(Array<number>(ALIASES).fill(COMMANDS / ALIASES));
    expect(await database.collection('alert_notes').countDocuments()).toBe(COMMANDS - ALIASES);
    const events = await published(COMMANDS, () => true);
    const last = new Map(events.map((event) => [event.alertId, event]));
    expect(last.size).toBe(ALIASES);
    second.kill('SIGTERM');
    await once(second, 'exit');
  });
});

interface DueAlert {
  readonly _id: string;
  readonly nextDueAt: Date;
  readonly autoClose: { readonly dueAt: Date };
}

describe('the service killed while the flow of an alert is held', () => {
  const HELD_SECONDS = 4;
  const seconds = (timeAmount: number) => ({ timeAmount, timeUnit: 'seconds' as const });

  const isStored = async (alertId: string): Promise<void> => {
    const alert = await database.collection<{ _id: string }>('alerts').findOne({ _id: alertId });
    if (alert === null) throw new Error('The alert is not there yet.');
  };
  const make = async (alias: string, tag = alias) => {
    const command = create(alias, {
      at: systemClock.now().toISOString(),
      alert: { tags: [tag], responders: [{ type: 'team', id: 'ops' }] },
    });
    await publisher.publish(AlertCommands, [command]);
    await eventually(() => isStored(command.alert.alertId), { everyMs: 2 });
    return command;
  };
  /** Waits until the delay of an alert is over that was accepted then. */
  const untilOver = (acceptedAt: string) =>
    eventually(() => {
      expect(systemClock.now().getTime()).toBeGreaterThan(Date.parse(acceptedAt) + HELD_SECONDS * 1_000);
    });

  it('starts the flow once when it runs again after the delay, and waits for its close alone', async () => {
    const hold = { option: 'for-duration', duration: seconds(HELD_SECONDS) } as const;
    const filter = { conditions: [condition('tags', 'contains', 'held')] };
    await new MongoConfigurationStore(database).change(() => ({
      policies: { put: [notifies('Nights', { delay: hold, autoClose: { duration: seconds(86_400) } }, { filter })] },
      answer: undefined,
    }));
    const first = start();
    await make('another');
    const { acceptedAt, alert } = await make('held');
    const { alertId } = alert;
    first.kill('SIGKILL');
    await once(first, 'exit');
    await untilOver(acceptedAt);
    const second = start();
    const events = await published(2, (event) => event.alertId === alertId);
    const byVersion = new Map(events.map((event) => [event.version, event]));
    expect(
      [...byVersion.values()].map(({ facts, state }) => [facts[0]?.kind, state.notifications.kind, state.cycle]),
    ).toEqual([
      ['created', 'delayed', 1],
      ['released', 'active', 2],
    ]);
    const stored = await database.collection<DueAlert>('alerts').findOne({ _id: alertId });
    expect(stored?.nextDueAt).toEqual(stored?.autoClose.dueAt);
    second.kill('SIGTERM');
    await once(second, 'exit');
  });

  it('does not start the flow of an alert whose close was accepted before the end of the delay, and processed after it', async () => {
    const first = start();
    const { acceptedAt, alert } = await make('closed', 'held');
    const { alertId } = alert;
    first.kill('SIGKILL');
    await once(first, 'exit');
    await publisher.publish(AlertCommands, [close(byId(alertId), { at: systemClock.now().toISOString() })]);
    await untilOver(acceptedAt);
    const second = start();
    const events = await published(2, (event) => event.alertId === alertId);
    const byVersion = new Map(events.map((event) => [event.version, event]));
    expect([...byVersion.values()].map(({ facts, state }) => [facts[0]?.kind, state.cycle])).toEqual([
      ['created', 1],
      ['closed', 1],
    ]);
    second.kill('SIGTERM');
    await once(second, 'exit');
  });
});

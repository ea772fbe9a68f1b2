import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AlertCommands,
  Decisions,
  Pages,
  type AlertEvent,
  type ConsumedBatch,
  type TopicDefinition,
  type PageMessage,
} from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { deathOf, publishAll, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { batchOf, useEngines, type EngineFixture } from '../testing/engine-fixture.ts';
import type { KilledEngine } from '../testing/killed-engine.ts';
import { openEngine } from '../testing/open-engine.ts';
import { escalationStateIndexes, ESCALATION_STATES } from './store.ts';

const ENGINE = fileURLToPath(new URL('../testing/killed-engine.ts', import.meta.url));
const repeat = { waitMinutes: 10, count: 2, resetRecipientStates: false, closeAlertAfterAll: true };
/** Minutes after which something is due: a rule, and the end of its repeat, of which there are three. */
const PAUSES = [5, 10, 5, 10, 5, 10];
/** In the order of a transition: its escalation state is written, all is written, all is committed, all is published. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'after', command: 'update', collection: ESCALATION_STATES },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
];
/** The event by which the flow begins. */
const CREATED = batchOf(0, { version: 1, facts: [] });

interface PublishedBatch {
  readonly topic: string;
  readonly messages: readonly unknown[];
}

const openModel = useEngines();

let mongoUri: string;
let connection: Connection;
/** The same flow on a database of its own, where nothing goes wrong. */
let model: EngineFixture;
/** The messages that killed processes have published. */
let published: { readonly topic: string; readonly message: unknown }[];
let publisher: RecordingPublisher;

beforeEach(async () => {
  const { uri, database } = await testMongo();
  mongoUri = uri;
  connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...escalationStateIndexes]);
  model = await openModel({ repeat });
  published = [];
  publisher = new RecordingPublisher();
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** Runs a process that processes `event`, or else due work. Resolves to the signal that ended it. */
async function killed(
  point: PointOfDeath | undefined,
  event?: ConsumedBatch<AlertEvent>,
): Promise<NodeJS.Signals | null> {
  const now = model.clock.now().toISOString();
  const settings: KilledEngine = {
    mongoUri,
    database: connection.name,
    escalation: { repeat },
    now,
    ...(point && { dieAt: point }),
    ...(event && { event }),
  };
  const child = spawn(process.execPath, ['--conditions=source', ENGINE, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { lines, signal } = await deathOf(child, connection);
  for (const { messages, topic } of lines.map((line) => JSON.parse(line) as PublishedBatch))
    published.push(...messages.map((message) => ({ topic, message })));
  return signal;
}

/** An engine in this process, which is not killed. */
const survivor = () => openEngine({ connection, publisher, configured: model });

/** The published messages after the relay of every row of a killed process; each message once, as its consumers process it. */
async function outcome() {
  const { outbox } = survivor();
  outbox.start();
  await publishAll(outbox);
  return {
    pages: idsOn(Pages, nameOf),
    commands: idsOn(AlertCommands, ({ requestId }) => requestId),
    decisions: idsOn(Decisions, ({ decisionId }) => decisionId),
  };
}

const nameOf = (message: PageMessage): string =>
  message.kind === 'page' ? message.pageId : `${message.kind} ${message.userId ?? 'all'}`;

function idsOn<T>(topic: TopicDefinition<T>, idOf: (message: T) => string): readonly string[] {
  const all = [...published, ...publisher.published].filter((each) => each.topic === topic.name);
  return [...new Set(all.map(({ message }) => idOf(topic.schema.parse(message))))].sort();
}

const ideal = () => ({
  pages: model.published.messages.map(nameOf).sort(),
  commands: model.published.commands.map(({ requestId }) => requestId),
  decisions: model.published.decisions.map(({ decisionId }) => decisionId).sort(),
});

describe('an escalation that repeats and closes its alert', () => {
  it.each([
    ['before its commit', POINTS],
    ['after its commit', [...POINTS.slice(2), ...POINTS.slice(0, 2)]],
  ])(
    'pages, decides and closes as if nothing had happened when a process is killed at each step, the first one %s',
    async (_, points) => {
      const deaths = [await killed(points[0], CREATED)];
      await model.receiveEvents(CREATED);
      await survivor().receiveEvents(CREATED);
      for (const [index, minutes] of PAUSES.entries()) {
        await model.advance(minutes);
        deaths.push(await killed(points[(index + 1) % points.length]));
        await survivor().processDue();
      }
      expect(deaths).toEqual([CREATED, ...PAUSES].map(() => 'SIGKILL'));
      expect(await outcome()).toEqual(ideal());
      expect(ideal().commands).toEqual(['escalation:a1:1']);
      expect(ideal().pages).toHaveLength(6);
    },
  );

  it('does so once when several processes fire each rule at the same time', async () => {
    await model.receiveEvents(CREATED);
    await survivor().receiveEvents(CREATED);
    for (const minutes of PAUSES) {
      await model.advance(minutes);
      const processes = [survivor(), survivor(), survivor()];
      expect(await processes[0]?.dueWork.countDue()).toBe(1);
      await Promise.all(processes.map(({ processDue }) => processDue()));
      expect(await processes[0]?.dueWork.countDue()).toBe(0);
    }
    expect(await outcome()).toEqual(ideal());
  });
});

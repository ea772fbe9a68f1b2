import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertCommands, Decisions, Pages, type TopicDefinition } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { eventually, testMongo } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { Worlds } from './application/known-world.ts';
import { RunEngine } from './application/runs/run-engine.ts';
import { batchOf, engineFixture, type EngineFixture } from './engine-fixture.contract.ts';
import { RULE_TIMERS, runIndexes } from './storage/runs/documents.ts';
import { MongoRunStore, type RuleDue } from './storage/runs/mongo-run-store.ts';

const silent = { warn: () => undefined, error: () => undefined };
const repeat = { waitMinutes: 10, count: 2, resetRecipientStates: false, closeAlertAfterAll: true };
/** The instants at which anything is due: rules after 0 and 5 minutes, repetitions every 15. */
const MINUTES = [0, 5, 15, 20, 30, 35, 45];

type KillPoint = 'before the commit' | 'after the commit, before anything is published' | 'never';

let connection: Connection;
/** The same flow on memory adapters, where nothing goes wrong. */
let model: EngineFixture;
let published: RecordingPublisher[];

beforeEach(async () => {
  const { uri, database } = await testMongo();
  connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...runIndexes, ...timerIndexes(RULE_TIMERS)]);
  model = await engineFixture({ repeat });
  published = [];
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** The engine as a process of its own, which does nothing by itself. */
function processThatDies(when: KillPoint) {
  const publisher = new RecordingPublisher();
  published.push(publisher);
  if (when === 'after the commit, before anything is published') publisher.refuseWith(new UnavailableError('killed'));
  const topics = [Pages, AlertCommands, Decisions];
  const quickly = { abandonedMs: 0, sweepEveryMs: 20 };
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...quickly });
  const claimed: RuleDue[] = [];
  const timers = new Timers<RuleDue['payload']>({
    connection,
    collection: RULE_TIMERS,
    clock: model.clock,
    fire: (due) => Promise.resolve(void claimed.push(...due)),
    logger: silent,
    ...{ leaseMs: 50, pollMs: 10 },
  });
  const store = new MongoRunStore({
    connection,
    outbox,
    timers: {
      schedule: (...given) =>
        when === 'before the commit' ? Promise.reject(new Error('killed')) : timers.schedule(...given),
      remove: (...given) =>
        when === 'before the commit' ? Promise.reject(new Error('killed')) : timers.remove(...given),
    },
  });
  const { configuration, users, teams, clock } = model;
  const engine = new RunEngine<RuleDue>({
    ...{ store, clock, worlds: new Worlds({ store: configuration, users, teams }) },
    ...{ random: () => 0, partitionFor: () => 3, onRouted: () => undefined, onNobody: () => undefined },
  });
  return {
    engine,
    outbox,
    /** Claims what is due now, also what a process that died has claimed. */
    claim: async (): Promise<readonly RuleDue[]> => {
      claimed.length = 0;
      const due = await timers.due();
      timers.start();
      await eventually(
        () => {
          expect(claimed.length).toBeGreaterThanOrEqual(due);
        },
        { timeoutMs: 20_000, everyMs: 5 },
      );
      await timers.stop();
      return [...claimed];
    },
    due: () => timers.due(),
  };
}

/** Whatever any process has published of a topic, each message once: that is what its consumers make of it. */
function idsOn<T>(topic: TopicDefinition<T>, idOf: (message: T) => string): readonly string[] {
  const all = published.flatMap((each) => each.published).filter((each) => each.topic === topic.name);
  return [...new Set(all.map(({ message }) => idOf(topic.schema.parse(message))))].sort();
}

async function start(when: KillPoint): Promise<void> {
  const event = batchOf(0, { version: 1, facts: [] });
  await model.settle(1);
  await processThatDies(when)
    .engine.settleEvents(event)
    .catch(() => undefined);
  await processThatDies('never').engine.settleEvents(event);
}

/** What is published once every process has swept what another left behind. */
async function outcome() {
  const { outbox } = processThatDies('never');
  outbox.start();
  await eventually(async () => {
    expect(await outbox.pending()).toBe(0);
  });
  await outbox.stop();
  return {
    pages: idsOn(Pages, ({ pageId }) => pageId),
    commands: idsOn(AlertCommands, ({ requestId }) => requestId),
    decisions: idsOn(Decisions, ({ decisionId }) => decisionId),
  };
}

const ideal = () => ({
  pages: model.store.pages.map(({ pageId }) => pageId).sort(),
  commands: model.store.commands.map(({ requestId }) => requestId),
  decisions: model.store.decisions.map(({ decisionId }) => decisionId).sort(),
});

const passed = (index: number): number => (MINUTES[index] ?? 0) - (MINUTES[index - 1] ?? 0);

describe('an escalation that repeats and closes its alert', () => {
  it.each<KillPoint>(['before the commit', 'after the commit, before anything is published'])(
    'pages, decides and closes as if nothing had happened when each of its processes is killed %s',
    async (when) => {
      await start(when);
      for (const index of MINUTES.keys()) {
        await model.advance(passed(index));
        const victim = processThatDies(when);
        await victim.engine.fireRules(await victim.claim()).catch(() => undefined);
        const heir = processThatDies('never');
        await heir.engine.fireRules(await heir.claim());
        expect(await heir.due()).toBe(0);
      }
      expect(await outcome()).toEqual(ideal());
      expect(ideal().commands).toEqual(['escalation:a1:1']);
      expect(ideal().pages).toHaveLength(6);
    },
    120_000,
  );

  it('does so once when each timer is fired by two processes at the same time', async () => {
    await start('never');
    for (const index of MINUTES.keys()) {
      await model.advance(passed(index));
      const [one, other] = [processThatDies('never'), processThatDies('never')];
      const claims = await one.claim();
      await Promise.all([one.engine.fireRules(claims), other.engine.fireRules(claims), one.engine.fireRules(claims)]);
    }
    expect(await outcome()).toEqual(ideal());
  }, 120_000);
});

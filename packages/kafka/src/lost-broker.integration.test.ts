import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, type OwnKafka, type OwnKafkaCluster, startKafkaCluster } from '@tocsin/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BatchingPublisher } from './batching-publisher.ts';
import { CRASH_TOPIC, processedLines } from './testing/crash-worker.ts';
import { anyTopic, TestCluster, type Note, notes, noteTopic, StoringProcessor } from './testing/real-kafka.ts';
import { team, teamTopic } from './testing/teams.ts';
import { TopicReplicas } from './topic-replicas.ts';

/** How long a lost broker may hold anything up on a loaded machine. Alone it takes 20 s; the client by itself would take 5 minutes. */
const PROMISED_MS = 60_000;
const topic = noteTopic('notes.v1');
const Teams = teamTopic('teams.v1');
const OFFSETS = '__consumer_offsets';
let cluster: OwnKafkaCluster;
let testCluster: TestCluster;

beforeAll(async () => {
  cluster = await startKafkaCluster();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  testCluster = new TestCluster(cluster.brokers);
  await testCluster.topics([topic, CRASH_TOPIC, Teams], 3, 3);
});
afterEach(() => testCluster.end());

/** The broker that leads the first partition of the topic, or coordinates all groups. */
async function leaderOf(wireName: string): Promise<OwnKafka> {
  const { topics } = await testCluster.kafka.ask((admin) => admin.fetchTopicMetadata({ topics: [wireName] }));
  return cluster.node(topics[0]?.partitions.find(({ partitionId }) => partitionId === 0)?.leader ?? 0);
}

/** Resolves when each partition of the notes has all of its replicas. */
async function inSync(): Promise<void> {
  const wireName = testCluster.kafka.wireName(topic);
  await eventually(async () => {
    const { topics } = await testCluster.kafka.ask((admin) =>
      admin.fetchTopicMetadata({ topics: [wireName, OFFSETS] }),
    );
    for (const { isr } of topics.flatMap(({ partitions }) => partitions)) expect(isr).toHaveLength(3);
  });
}

async function replicaOfTeams() {
  const replicas = new TopicReplicas({
    kafka: testCluster.kafka,
    lookUp: () => Promise.resolve([]),
    logger: testCluster.logger,
    onFatal: (error) => testCluster.fatal.push(error),
  });
  const teams = replicas.add(Teams);
  testCluster.atEnd(() => replicas.stop());
  await replicas.start();
  return teams;
}

/** Notes without an effect. A note whose request failed may be written twice. */
function unprocessed(handler: StoringProcessor, expected: readonly Note[]): readonly string[] {
  return expected.filter(({ id }) => !handler.effects.has(id)).map(({ id }) => id);
}

it('publishes, consumes and follows states while the leader of a partition is frozen', async () => {
  const publisher = await testCluster.publisher();
  const handler = new StoringProcessor();
  const consumer = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
  await consumer.start();
  const teams = await replicaOfTeams();
  await publisher.publish(topic, notes(100));
  await publisher.publish(Teams, [team('1', 1, 'ops')]);
  await eventually(() => {
    expect(unprocessed(handler, notes(100))).toEqual([]);
    expect(teams.get('1')).toEqual({ name: 'ops' });
  });

  const leader = await leaderOf(testCluster.kafka.wireName(topic));
  await leader.pause();
  testCluster.atEnd(async () => {
    leader.resume();
    await inSync();
  });
  await Promise.all([
    publisher.publish(topic, notes(300).slice(100), { deadlineMs: PROMISED_MS }),
    publisher.publish(Teams, [team('1', 2, 'platform')], { deadlineMs: PROMISED_MS }),
    eventually(
      () => {
        expect(unprocessed(handler, notes(300))).toEqual([]);
        expect(teams.get('1')).toEqual({ name: 'platform' });
      },
      { timeoutMs: PROMISED_MS, everyMs: 50 },
    ),
  ]);
  expect(testCluster.fatal).toEqual([]);
});

/** How the broker that coordinates the groups is lost, and how it comes back. */
const losses = [
  { lost: 'killed', lose: (broker: OwnKafka) => broker.kill(), giveBack: (broker: OwnKafka) => broker.restart() },
  {
    lost: 'frozen',
    lose: (broker: OwnKafka) => broker.pause(),
    giveBack: (broker: OwnKafka) => {
      broker.resume();
      return Promise.resolve();
    },
  },
];

describe.each(losses)('when the broker that coordinates a group is $lost', ({ lost, lose, giveBack }) => {
  /** A member in a process of its own. */
  async function member() {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-member-'));
    testCluster.atEnd(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'processed');
    const script = fileURLToPath(new URL('./testing/crash-worker.ts', import.meta.url));
    const args = ['--conditions=source', script, testCluster.brokers.join(), testCluster.prefix, file, 'Infinity'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const kill = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    testCluster.atEnd(kill);
    return { kill, processed: () => processedLines(file).flatMap(({ ids }) => ids) };
  }

  /** Publishes one note for each key and waits until it is processed. */
  async function processed(publisher: BatchingPublisher, batch: readonly Note[], done: () => readonly string[]) {
    await publisher.publish(CRASH_TOPIC, batch, { deadlineMs: PROMISED_MS });
    await eventually(
      () => {
        expect(done()).toEqual(expect.arrayContaining(batch.map(({ id }) => id)));
      },
      { timeoutMs: PROMISED_MS, everyMs: 50 },
    );
  }

  it('the group goes on, and takes over the partitions of a member that is killed afterwards', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const consumer = testCluster.consumer(publisher, CRASH_TOPIC, handler, { checkpoints: handler });
    await consumer.start();
    const other = await member();
    const done = () => [...handler.effects.keys(), ...other.processed()];
    await eventually(async () => {
      await processed(publisher, notes(40, `both${performance.now()}-`), done);
      expect(other.processed()).not.toEqual([]);
    });

    const coordinator = await leaderOf(OFFSETS);
    await lose(coordinator);
    testCluster.atEnd(async () => {
      await giveBack(coordinator);
      await inSync();
    });
    await processed(publisher, notes(40, `${lost}-broker-`), done);

    await other.kill();
    await processed(publisher, notes(40, 'killed-member-'), done);
    expect(testCluster.fatal).toEqual([]);
  });
});

it.each([1, 2, 3])('starts a publisher and a consumer while node %i is frozen', async (id) => {
  await (await testCluster.publisher()).publish(topic, notes(10));
  const frozen = cluster.node(id);
  await frozen.pause();
  testCluster.atEnd(async () => {
    frozen.resume();
    await inSync();
  });
  // A connection of its own, which does not know yet which broker is silent.
  const starting = new TestCluster(cluster.brokers, testCluster.prefix);
  testCluster.atEnd(() => starting.end());
  const handler = new StoringProcessor();
  const publisher = await starting.publisher({ topics: [anyTopic(topic)] });
  await starting.consumer(publisher, topic, handler, { checkpoints: handler }).start();
  await publisher.publish(topic, notes(20).slice(10), { deadlineMs: PROMISED_MS });
  await eventually(
    () => {
      expect(unprocessed(handler, notes(20))).toEqual([]);
    },
    { timeoutMs: PROMISED_MS },
  );
});

/** A replica tries for about 20 s to reach a coordinator that is gone, if it tries for a limited time at all. */
const LONG_ENOUGH_MS = 25_000;

it('follows states all the time after the coordinator of the groups was killed', async () => {
  const publisher = await testCluster.publisher({ topics: [anyTopic(Teams)] });
  const teams = await replicaOfTeams();
  const followed = async (version: number) => {
    const name = `name-${version}`;
    await publisher.publish(Teams, [team('1', version, name)], { deadlineMs: PROMISED_MS });
    await eventually(
      () => {
        expect(teams.get('1')).toEqual({ name });
      },
      { timeoutMs: PROMISED_MS, everyMs: 100 },
    );
  };
  await followed(1);
  const coordinator = await leaderOf(OFFSETS);
  await coordinator.kill();
  testCluster.atEnd(async () => {
    await coordinator.restart();
    await inSync();
  });
  const until = performance.now() + LONG_ENOUGH_MS;
  for (let version = 2; performance.now() < until; version += 1) await followed(version);
});

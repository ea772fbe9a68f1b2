import type { StateMessage } from '@tocsin/events';
import { LongWork, UnavailableError } from '@tocsin/core';
import { eventually, startKafka, testKafka } from '@tocsin/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import kafkajs, { type Admin } from 'kafkajs';
import { type BatchingPublisher, ensureTopics, type MissLookUp, TopicReplicas } from './index.ts';
import { anyTopic, TestCluster } from './testing/real-kafka.ts';
import { type Team, team, teamTopic } from './testing/teams.ts';

const Teams = teamTopic('teams.v1');
const Crews = teamTopic('crews.v1');
const byName = { indexes: { name: (team: Team) => team.name } };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** As the retention of a topic does that was created without compaction. */
async function removeAllRecords(admin: Admin, topic: string): Promise<void> {
  const configEntries = [{ name: 'cleanup.policy', value: 'delete' }];
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }];
  await admin.alterConfigs({ resources, validateOnly: false });
  await eventually(() => admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '-1' }] }));
}

const noOwner: MissLookUp = () => Promise.resolve([]);

async function testClusterOn(
  brokers: readonly string[],
): Promise<{ testCluster: TestCluster; publisher: BatchingPublisher }> {
  const testCluster = new TestCluster(brokers);
  ends.unshift(() => testCluster.end());
  const topics = [anyTopic(Teams), anyTopic(Crews)];
  await ensureTopics({ brokers, prefix: testCluster.prefix, topics, partitions: 3 });
  return { testCluster, publisher: await testCluster.publisher() };
}

function replicasOf(
  testCluster: TestCluster,
  { lookUp = noOwner, ...rest }: { lookUp?: MissLookUp; work?: LongWork } = {},
): TopicReplicas {
  const { kafka, logger } = testCluster;
  const replicas = new TopicReplicas({
    kafka,
    lookUp,
    logger,
    onFatal: (error) => testCluster.fatal.push(error),
    ...rest,
  });
  testCluster.atEnd(() => replicas.stop());
  return replicas;
}

describe('TopicReplicas on real Kafka', () => {
  it('is ready only once it holds everything that was written before, of every topic', async () => {
    const { testCluster, publisher } = await testClusterOn((await testKafka()).brokers);
    await publisher.publish(
      Teams,
      Array.from({ length: 3_000 }, (_, index) => team(String(index % 1_000), index)),
    );
    const replicas = replicasOf(testCluster);
    const teams = replicas.add(Teams, byName);
    const crews = replicas.add(Crews);
    await replicas.start();
    expect([...teams.all()]).toHaveLength(1_000);
    expect(teams.find('name', 'team-7')).toEqual({ name: 'team-7' });
    expect([...crews.all()]).toEqual([]);
    expect(await replicas.pending()).toBe(0);
  });

  it('lets the event loop run while it reads many states', async () => {
    const { testCluster, publisher } = await testClusterOn((await testKafka()).brokers);
    const name = 'n'.repeat(1_000);
    await publisher.publish(
      Teams,
      Array.from({ length: 1_000 }, (_, index) => team(String(index), 1, `${name}${index}`)),
    );
    let ms = 0;
    const replicas = replicasOf(testCluster, { work: new LongWork(() => (ms += 6)) });
    const teams = replicas.add(Teams, byName);
    let round = 0;
    const goRound = (): void => {
      round += 1;
      if (teams.find('name', `${name}999`) === undefined) setImmediate(goRound);
    };
    goRound();
    const readIn = new Map<number, number>();
    teams.whenChanged(() => readIn.set(round, (readIn.get(round) ?? 0) + 1));
    await replicas.start();
    expect([...teams.all()]).toHaveLength(1_000);
    expect(Math.max(...readIn.values())).toBeLessThan(10);
  });

  it('is ready where all records of a topic were removed, and reads later records', async () => {
    const { testCluster, publisher } = await testClusterOn((await testKafka()).brokers);
    await publisher.publish(Teams, [team('a', 1), team('b', 1)]);
    await testCluster.kafka.ask((admin) => removeAllRecords(admin, testCluster.kafka.wireName(Teams)));
    const replicas = replicasOf(testCluster);
    const teams = replicas.add(Teams, byName);
    await replicas.start();
    await publisher.publish(Teams, [team('c', 1)]);
    await eventually(() => {
      expect([...teams.all()]).toEqual([{ name: 'team-c' }]);
    });
    expect(await replicas.pending()).toBe(0);
  });

  it('follows changes, deletions and erasures, and never goes back to an older state', async () => {
    const { testCluster, publisher } = await testClusterOn((await testKafka()).brokers);
    const replicas = replicasOf(testCluster);
    const teams = replicas.add(Teams, byName);
    const changed: string[] = [];
    teams.whenChanged((id) => changed.push(id));
    await replicas.start();
    const settled = (): Promise<void> =>
      eventually(async () => {
        expect(await replicas.pending()).toBe(0);
      });
    await publisher.publish(Teams, [team('1', 2, 'ops'), team('1', 1, 'older'), team('2', 1)]);
    await settled();
    expect(teams.get('1')).toEqual({ name: 'ops' });
    const gone: StateMessage<Team> = { id: '1', version: { epoch: 1, n: 3 }, deleted: true };
    await publisher.publish(Teams, [gone, team('1', 2, 'ops')]);
    await publisher.erase(Teams, ['2']);
    await settled();
    expect([...teams.all()]).toEqual([]);
    expect(teams.find('name', 'ops')).toBeUndefined();
    expect(changed).toEqual(['1', '2', '1', '2']);
  });

  it('leaves out unreadable records and holds the rest', async () => {
    const { testCluster, publisher } = await testClusterOn((await testKafka()).brokers);
    const odd = { id: 'odd', version: { epoch: 1, n: 1 }, deleted: false, state: {} } as unknown as StateMessage<Team>;
    await publisher.publish(Teams, [odd, team('1', 1)]);
    const replicas = replicasOf(testCluster);
    const teams = replicas.add(Teams);
    await replicas.start();
    expect([...teams.all()]).toEqual([{ name: 'team-1' }]);
    expect(testCluster.logger.errors()).toEqual(['A state is unreadable.']);
  });

  it('is not ready while a state has an unknown schema, and keeps the older states', async () => {
    const { testCluster, publisher } = await testClusterOn((await testKafka()).brokers);
    await publisher.publish(Teams, [team('1', 1, 'ops')]);
    const running = replicasOf(testCluster);
    const held = running.add(Teams, byName);
    await running.start();
    await publisher.publish({ ...Teams, version: 2 }, [team('1', 2, 'half understood')]);
    await publisher.publish(Teams, [team('2', 1)]);
    const starting = replicasOf(testCluster);
    starting.add(Teams);
    let ready = false;
    const started = starting.start().then(() => (ready = true));
    await eventually(async () => {
      expect(held.get('2')).toEqual({ name: 'team-2' });
      expect(await starting.pending()).toBe(0);
    });
    expect(held.get('1')).toEqual({ name: 'ops' });
    expect(ready).toBe(false);
    await publisher.publish(Teams, [team('1', 3, 'put back')]);
    await started;
    expect(new Set(testCluster.logger.errors())).toEqual(new Set(['States are too new; the older ones are kept.']));
  });

  it('fetches a missing entity from the owner, and keeps the answer', async () => {
    const { testCluster } = await testClusterOn((await testKafka()).brokers);
    const asked: string[] = [];
    const lookUp = ((topic: { name: string }, index: string, [value = '']: readonly string[]) => {
      asked.push(`${topic.name} ${index}=${value}`);
      return Promise.resolve([team('9', 1, value)]);
    }) as unknown as MissLookUp;
    const replicas = replicasOf(testCluster, { lookUp: lookUp });
    const teams = replicas.add(Teams, byName);
    await replicas.start();
    expect(await teams.fetch('name', 'fresh')).toEqual({ name: 'fresh' });
    expect(teams.get('9')).toEqual({ name: 'fresh' });
    expect(asked).toEqual(['teams.v1 name=fresh']);
  });

  it('still answers while the broker is unavailable, and follows again when it is back', async () => {
    const broker = await startKafka();
    ends.unshift(() => broker.stop());
    const { testCluster, publisher } = await testClusterOn([broker.brokers]);
    await publisher.publish(Teams, [team('1', 1, 'ops')]);
    const replicas = replicasOf(testCluster);
    const teams = replicas.add(Teams, byName);
    await replicas.start();
    await broker.kill();
    await expect(replicas.pending()).rejects.toThrow(UnavailableError);
    expect(teams.get('1')).toEqual({ name: 'ops' });
    await broker.restart();
    await publisher.publish(Teams, [team('1', 2, 'platform')], { deadlineMs: 30_000 });
    await eventually(() => {
      expect(teams.get('1')).toEqual({ name: 'platform' });
    });
    expect(testCluster.fatal).toEqual([]);
  });
});

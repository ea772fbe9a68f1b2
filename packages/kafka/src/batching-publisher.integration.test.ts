import { setTimeout as pause } from 'node:timers/promises';
import { Users } from '@tocsin/events';
import { TooLargeError, UnavailableError } from '@tocsin/core';
import { KafkaProxy, startKafka, testKafka } from '@tocsin/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import type { BatchingPublisher } from './batching-publisher.ts';
import { partitionOf } from './partitioner.ts';
import { anyTopic, TestCluster, type Note, notes, noteTopic, PARTITIONS } from './testing/real-kafka.ts';

const { ConfigResourceTypes } = kafkajs;
const topic = noteTopic('notes.v1');
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function testClusterOn(brokers: readonly string[]): TestCluster {
  const testCluster = new TestCluster(brokers);
  ends.unshift(() => testCluster.end());
  return testCluster;
}

async function sharedTestCluster(): Promise<TestCluster> {
  const testCluster = testClusterOn((await testKafka()).brokers);
  await testCluster.topics([topic]);
  return testCluster;
}

/** A broker of the test's own, behind a proxy that can cut its answers. */
async function ownTestCluster() {
  const proxy = await KafkaProxy.start();
  ends.unshift(() => proxy.stop());
  const broker = await startKafka({ advertisedPort: proxy.port });
  ends.unshift(() => broker.stop());
  proxy.forwardTo(broker.port);
  const testCluster = testClusterOn([proxy.brokers]);
  await testCluster.topics([topic]);
  return { proxy, broker, testCluster };
}

/** Brokers answer a deletion before the last of them has removed the partitions: until then they take messages. */
async function untilRefused(publisher: BatchingPublisher, gone: ReturnType<typeof noteTopic>): Promise<void> {
  const refused = () =>
    publisher.publish(gone, notes(1, 'probe'), { deadlineMs: 1_000 }).then(
      () => false,
      () => true,
    );
  while (!(await refused())) await pause(50);
}

function timesOf(found: readonly { note: Note }[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { note } of found) times.set(note.id, (times.get(note.id) ?? 0) + 1);
  return times;
}

describe('BatchingPublisher on real Kafka', () => {
  it('resolves once the messages are on their topic, in the order of their keys and on the partition it names', async () => {
    const testCluster = await sharedTestCluster();
    const publisher = await testCluster.publisher({ topics: [anyTopic(topic)] });
    const all = notes(3_000);
    await Promise.all(all.map((note) => publisher.publish(topic, [note])));
    const found = await testCluster.readAll(topic);
    expect(found).toHaveLength(3_000);
    for (const { partition, note } of found) expect(partitionOf(note.key, PARTITIONS)).toBe(partition);
    const ofOneKey = found.filter(({ note }) => note.key === 'k7').map(({ note }) => note.id);
    expect(ofOneKey).toEqual(all.filter(({ key }) => key === 'k7').map(({ id }) => id));
    expect(publisher.pending()).toBe(0);
  });

  it('loses and doubles nothing while sockets are cut again and again after the broker has appended', async () => {
    const { proxy, testCluster } = await ownTestCluster();
    let cuts = 0;
    proxy.onProduceAnswer((nth) => {
      if (nth % 4 !== 3) return 'pass';
      cuts += 1;
      return 'cut';
    });
    const publisher = await testCluster.publisher({ deadlineMs: 30_000 });
    const all = notes(2_000);
    for (let start = 0; start < all.length; start += 50)
      await Promise.all(all.slice(start, start + 50).map((note) => publisher.publish(topic, [note])));
    proxy.onProduceAnswer(() => 'pass');
    const times = timesOf(await testCluster.readAll(topic));
    expect(all.filter(({ id }) => times.get(id) !== 1)).toEqual([]);
    expect(cuts).toBeGreaterThan(8);
  });

  it('rejects a message that is too large, and publishes the other messages of the request', async () => {
    const testCluster = await sharedTestCluster();
    const small = noteTopic('small.v1');
    await testCluster.topics([small]);
    await testCluster.kafka.ask((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: ConfigResourceTypes.TOPIC,
            name: testCluster.kafka.wireName(anyTopic(small)),
            configEntries: [{ name: 'max.message.bytes', value: '20000' }],
          },
        ],
      }),
    );
    const publisher = await testCluster.publisher({ deadlineMs: 30_000, lingerMs: 20 });
    const good = notes(60);
    const huge: Note = { id: 'huge', key: 'k3', text: 'x'.repeat(50_000) };
    const answers = Promise.allSettled(good.map((note) => publisher.publish(small, [note])));
    await expect(publisher.publish(small, [huge])).rejects.toThrow(TooLargeError);
    expect((await answers).filter(({ status }) => status === 'rejected')).toEqual([]);
    // A request of the same size that follows a refused one must be written too.
    await Promise.all(notes(60, 'after').map((note) => publisher.publish(small, [note])));
    const times = timesOf(await testCluster.readAll(small));
    expect([...good, ...notes(60, 'after')].filter(({ id }) => (times.get(id) ?? 0) < 1)).toEqual([]);
    expect(times.has('huge')).toBe(false);
  });

  it('refuses a message over the limit of its topic without sending it, and publishes the others', async () => {
    const testCluster = await sharedTestCluster();
    const publisher = await testCluster.publisher();
    const huge: Note = { id: 'huge', key: 'k', text: 'x'.repeat(1_100_000) };
    await expect(publisher.publish(topic, [huge, ...notes(3)])).rejects.toThrow(TooLargeError);
    expect(timesOf(await testCluster.readAll(topic)).size).toBe(3);
  });

  it('answers within the deadline while the broker is unavailable, and the messages that it reported as published are on the topic', async () => {
    const { broker, testCluster } = await ownTestCluster();
    const publisher = await testCluster.publisher({ deadlineMs: 1_000 });
    const published: Note[] = [];
    const refused: unknown[] = [];
    const longest = { ms: 0, lateMs: 0 };
    const load = async (tag: string, seconds: number): Promise<void> => {
      const sending: Promise<void>[] = [];
      for (const note of notes(seconds * 50, tag)) {
        const since = performance.now();
        const one = publisher.publish(topic, [note]).then(
          () => void published.push(note),
          (error: unknown) => void refused.push(error),
        );
        sending.push(one.finally(() => (longest.ms = Math.max(longest.ms, performance.now() - since))));
        const pausedAt = performance.now();
        await pause(20);
        longest.lateMs = Math.max(longest.lateMs, performance.now() - pausedAt - 20);
      }
      await Promise.all(sending);
    };
    await load('before', 1);
    await broker.kill();
    await load('during', 10);
    await broker.restart();
    await publisher.publish(topic, notes(1, 'first'), { deadlineMs: 60_000 });
    await publisher.publish(topic, notes(50, 'after'), { deadlineMs: 60_000 });
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toBeInstanceOf(UnavailableError);
    // The first ones would otherwise wait for as long as the broker is unavailable; on a loaded machine each step is late.
    expect(longest.ms).toBeLessThan(8_000 + 10 * longest.lateMs);
    const times = timesOf(await testCluster.readAll(topic));
    expect([...published, ...notes(50, 'after')].filter(({ id }) => !times.has(id))).toEqual([]);
  });

  it('rejects every message that still waits when it is stopped, and reports none of them as published', async () => {
    const { broker, testCluster } = await ownTestCluster();
    const publisher = await testCluster.publisher({ deadlineMs: 30_000 });
    await publisher.publish(topic, notes(1));
    await broker.pause();
    const answers = Promise.allSettled(notes(500, 'late').map((note) => publisher.publish(topic, [note])));
    await publisher.stop(300);
    for (const answer of await answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) as unknown });
    await expect(publisher.publish(topic, notes(1))).rejects.toThrow(UnavailableError);
    broker.resume();
  });

  it('refuses when its queue is full, before those that wait there have their answer', async () => {
    const { broker, testCluster } = await ownTestCluster();
    const limits = { messages: 100 };
    const publisher = await testCluster.publisher({ deadlineMs: 2_000, limits });
    await publisher.publish(topic, notes(1));
    await broker.pause();
    const answers = Promise.allSettled([...notes(1, 'sent'), ...notes(100)].map((n) => publisher.publish(topic, [n])));
    const over = publisher.publish(topic, notes(50, 'over')).catch((error: unknown) => error);
    expect(await Promise.race([over, answers])).toBeInstanceOf(UnavailableError);
    broker.resume();
    await answers;
  });

  it('publishes to a topic within its deadline while another topic accepts nothing, and to that one when it accepts again', async () => {
    const testCluster = await sharedTestCluster();
    const dead = noteTopic('dead.v1');
    await testCluster.topics([dead]);
    const publisher = await testCluster.publisher({ deadlineMs: 3_000, limits: { messages: 100 } });
    await publisher.publish(dead, notes(1));
    // As one without a leader: the client tries for ever.
    await testCluster.kafka.ask((admin) => admin.deleteTopics({ topics: [testCluster.kafka.wireName(dead)] }));
    await untilRefused(publisher, dead);
    const stuck = Promise.allSettled(notes(100, 'stuck').map((note) => publisher.publish(dead, [note])));
    for (const note of notes(20)) await publisher.publish(topic, [note]);
    expect((await stuck).filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(timesOf(await testCluster.readAll(topic)).size).toBe(20);
    await testCluster.topics([dead]);
    await publisher.publish(dead, notes(1, 'alive'), { deadlineMs: 30_000 });
    expect(timesOf(await testCluster.readAll(dead)).has('alive0')).toBe(true);
  });

  it('erases keys of a compacted topic with a null value', async () => {
    const testCluster = testClusterOn((await testKafka()).brokers);
    await testCluster.everyTopic();
    const publisher = await testCluster.publisher();
    await publisher.erase(Users, ['gone']);
    const state = noteTopic(Users.name);
    expect(await testCluster.readAll(state)).toEqual([{ partition: 0, note: null }]);
  });

  it('rejects messages to a topic that does not exist, and serves the others meanwhile', async () => {
    const testCluster = await sharedTestCluster();
    const publisher = await testCluster.publisher();
    const missing = noteTopic('missing.v1');
    await expect(publisher.publish(missing, notes(1))).rejects.toThrow(UnavailableError);
    await publisher.publish(topic, notes(1));
  });
});

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, startKafka } from '@tocsin/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idle, newTestCluster, topic } from './testing/consumed-notes.ts';
import { CRASH_TOPIC, processedLines } from './testing/crash-worker.ts';
import { partitionOf } from './partitioner.ts';
import { CommittedPositions } from './positions.ts';
import { anyTopic, TestCluster, type Note, notes, PARTITIONS, StoringProcessor } from './testing/real-kafka.ts';

const NEW_TOPIC = 'The topic was recreated; reading it from its beginning.';
const TRUNCATED = 'The log was truncated; reading on from an earlier record.';
const GONE = 'Records are gone from the log that were never processed.';
let testCluster: TestCluster;

beforeEach(async () => {
  testCluster = await newTestCluster();
});
afterEach(() => testCluster.end());

async function recreate(): Promise<void> {
  const wireName = testCluster.kafka.wireName(anyTopic(topic));
  await testCluster.kafka.ask((admin) => admin.deleteTopics({ topics: [wireName] }));
  await eventually(async () => {
    expect(await testCluster.kafka.ask((admin) => admin.listTopics())).not.toContain(wireName);
  });
  await eventually(() => testCluster.topics([topic]));
}

/** As what is left of a log that was truncated: nothing on real brokers takes the end of one away. */
async function appendOld(left: readonly Note[], partition: (note: Note) => number): Promise<void> {
  const producer = testCluster.kafka.producer();
  await producer.connect();
  const timestamp = String(Date.now() - 3_600_000);
  const messages = left.map((note) => ({
    key: note.key,
    value: JSON.stringify(note),
    partition: partition(note),
    timestamp,
  }));
  await producer.send({ topic: testCluster.kafka.wireName(anyTopic(topic)), messages });
  await producer.disconnect();
}

describe('BatchConsumer at its worst moment', () => {
  it('has each effect once although its process is killed many times between the effects and the offsets', async () => {
    await testCluster.topics([CRASH_TOPIC]);
    const publisher = await testCluster.publisher();
    const all = notes(1_500);
    await publisher.publish(CRASH_TOPIC, all);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-crash-'));
    testCluster.atEnd(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'processed');
    const script = fileURLToPath(new URL('./testing/crash-worker.ts', import.meta.url));
    const processed = (): readonly string[] => processedLines(file).flatMap(({ ids }) => ids);
    for (let round = 0; round < 20 && processed().length < all.length; round += 1) {
      const args = ['--conditions=source', script, testCluster.brokers.join(), testCluster.prefix, file, '9'];
      const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const gone = new Promise((resolve) => worker.once('exit', resolve));
      await Promise.race([
        gone,
        eventually(() => {
          expect(processed().length).toBeGreaterThanOrEqual(all.length);
        }),
      ]);
      worker.kill('SIGKILL');
      await gone;
    }
    expect([...processed()].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it('waits for a broker that was killed, and then goes on with each effect once', async () => {
    const broker = await startKafka();
    const own = new TestCluster([broker.brokers]);
    testCluster.atEnd(() => broker.stop());
    testCluster.atEnd(() => own.end());
    await own.topics([topic]);
    const publisher = await own.publisher();
    const handler = new StoringProcessor();
    const consumer = own.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    await publisher.publish(topic, notes(500));
    await broker.kill();
    await broker.restart();
    await publisher.publish(topic, notes(1_000).slice(500), { deadlineMs: 60_000 });
    await idle(consumer);
    expect(handler.wrong(notes(1_000))).toEqual([]);
    expect(own.fatal).toEqual([]);
  });

  it('has each effect once although another process takes the partitions over in the middle of a batch', async () => {
    const publisher = await testCluster.publisher();
    const store = new StoringProcessor();
    const slow = new StoringProcessor();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<undefined>();
    slow.before = async (batch) => {
      enter(undefined);
      await released;
      return store.process([batch]);
    };
    const first = testCluster.consumer(publisher, topic, slow, { checkpoints: store });
    await first.start();
    await publisher.publish(topic, notes(900));
    await entered;
    const second = testCluster.consumer(publisher, topic, store, { checkpoints: store });
    const taking = second.start();
    await eventually(() => {
      expect(store.effects.size).toBeGreaterThan(0);
    });
    release(undefined);
    await taking;
    await eventually(() => {
      expect(store.wrong(notes(900))).toEqual([]);
    });
  });

  it('notices a topic that was recreated while it ran, and reads it from its beginning', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const consumer = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    await publisher.publish(topic, notes(300));
    await idle(consumer);
    await recreate();
    await publisher.publish(topic, notes(60, 'anew'), { deadlineMs: 30_000 });
    await eventually(() => {
      expect(handler.wrong(notes(60, 'anew'))).toEqual([]);
    });
    expect(handler.wrong(notes(300))).toEqual([]);
    expect(testCluster.logger.errors()).toContain(NEW_TOPIC);
  });

  it('notices a topic that was recreated and grew past the checkpoint while the consumer was stopped', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const first = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    await publisher.publish(topic, notes(60));
    await idle(first);
    await first.stop();
    await recreate();
    const again = await testCluster.publisher();
    await again.publish(topic, notes(600, 'anew'), { deadlineMs: 30_000 });
    const second = testCluster.consumer(again, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong(notes(600, 'anew'))).toEqual([]);
    expect(testCluster.logger.errors()).toContain(NEW_TOPIC);
  });

  it('processes no old record again in a log that was truncated and grew past the checkpoint while the consumer was stopped', async () => {
    const publisher = await testCluster.publisher({ topics: [anyTopic(topic)] });
    const handler = new StoringProcessor();
    const first = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    await publisher.publish(topic, notes(120));
    await idle(first);
    await first.stop();
    await recreate();
    const partition = (note: Note): number => partitionOf(note.key, PARTITIONS);
    await appendOld(notes(60), partition);
    const again = await testCluster.publisher();
    await again.publish(topic, notes(300, 'after'), { deadlineMs: 30_000 });
    const second = testCluster.consumer(again, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong([...notes(120), ...notes(300, 'after')])).toEqual([]);
    expect(testCluster.logger.errors()).toContain(TRUNCATED);
    expect(testCluster.logger.errors()).not.toContain(NEW_TOPIC);
  });

  it('can verify the positions that Kafka keeps, by the record before each', async () => {
    const publisher = await testCluster.publisher({ topics: [anyTopic(topic)] });
    const consumer = testCluster.consumer(publisher, topic, new StoringProcessor());
    await consumer.start();
    await publisher.publish(topic, notes(60));
    await idle(consumer);
    await consumer.stop();
    const positions = await new CommittedPositions(testCluster.kafka, `${testCluster.prefix}group`).read(
      topic,
      [0, 1, 2],
      'here',
    );
    expect([...positions.values()]).toMatchObject(
      [0, 1, 2].map(() => ({ kind: 'verify', checkpoint: { lastKey: expect.stringMatching(/^k\d+$/) } })),
    );
  });

  it('logs that unprocessed records were removed from the log, and continues after them', async () => {
    const publisher = await testCluster.publisher({ topics: [anyTopic(topic)] });
    const handler = new StoringProcessor();
    const first = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    const oneKey = (tag: string): readonly Note[] => notes(100, tag, 1);
    await publisher.publish(topic, oneKey('processed'));
    await idle(first);
    await first.stop();
    await publisher.publish(topic, oneKey('lost'));
    const partition = partitionOf('k0', PARTITIONS);
    await testCluster.kafka.ask((admin) =>
      admin.deleteTopicRecords({
        topic: testCluster.kafka.wireName(anyTopic(topic)),
        partitions: [{ partition, offset: '200' }],
      }),
    );
    await publisher.publish(topic, oneKey('kept'));
    const second = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong([...oneKey('processed'), ...oneKey('kept')])).toEqual([]);
    expect(testCluster.logger.errors()).toContain(GONE);
  });
});

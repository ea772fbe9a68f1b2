import { type DeadLetter, DeadLetters, type BatchResult } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf } from './partitioner.ts';
import { idle, newTestCluster, topic } from './testing/consumed-notes.ts';
import {
  anyTopic,
  type TestCluster,
  type Note,
  notes,
  noteTopic,
  PARTITIONS,
  RecordingMetrics,
  StoringProcessor,
} from './testing/real-kafka.ts';

let testCluster: TestCluster;

beforeEach(async () => {
  testCluster = await newTestCluster();
});
afterEach(() => testCluster.end());

async function letters(): Promise<readonly DeadLetter[]> {
  const found = await testCluster.readAll(noteTopic(DeadLetters.name));
  return found.map(({ note }) => note as unknown as DeadLetter);
}

describe('BatchConsumer on real Kafka', () => {
  it('gives every message to its handler once, and then has nothing pending', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const metrics = new RecordingMetrics();
    const consumer = testCluster.consumer(publisher, topic, handler, { checkpoints: handler, metrics });
    await consumer.start();
    const all = notes(2_000);
    await publisher.publish(topic, all);
    await idle(consumer);
    expect(handler.wrong(all)).toEqual([]);
    for (const backlog of metrics.backlogs.values()) expect(backlog).toBe(0);
    expect(Math.max(...handler.sizes)).toBeLessThanOrEqual(300);
    expect(testCluster.fatal).toEqual([]);
  });

  it('leaves records of a newer schema, in their order, to a newer process', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const metrics = new RecordingMetrics();
    const older = testCluster.consumer(publisher, topic, handler, { checkpoints: handler, metrics });
    await older.start();
    const [known, unknown, late] = [notes(30, 'known'), notes(30, 'newer'), notes(30, 'late')];
    await publisher.publish(topic, known);
    await publisher.publish({ ...topic, version: 2 }, unknown);
    await publisher.publish(topic, late);
    await eventually(() => {
      expect(handler.effects.size).toBe(known.length);
      expect([...metrics.tooNewOn]).toEqual([topic.name]);
    });
    await older.stop();
    expect(handler.wrong(known)).toEqual([]);
    const newer = testCluster.consumer(publisher, { ...topic, version: 2 }, handler, { checkpoints: handler });
    await newer.start();
    await idle(newer);
    expect(handler.wrong([...known, ...unknown, ...late])).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  it('goes on where its effects ended, whether Kafka still knows the position of the group or not', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const first = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    await publisher.publish(topic, notes(300));
    await idle(first);
    await first.stop();
    await eventually(() => testCluster.kafka.ask((admin) => admin.deleteGroups([`${testCluster.prefix}group`])));
    await publisher.publish(topic, notes(300, 'later'));
    const second = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong([...notes(300), ...notes(300, 'later')])).toEqual([]);
    expect(testCluster.logger.errors()).toEqual([]);
  });

  it('tries again while the failure is internal, and the other partitions continue', async () => {
    const publisher = await testCluster.publisher({ topics: [anyTopic(topic)] });
    const handler = new StoringProcessor();
    const sick = partitionOf('k0', PARTITIONS);
    let tries = 0;
    let well = false;
    handler.before = ({ partition }): Promise<BatchResult | undefined> => {
      if (partition !== sick || well) return Promise.resolve(undefined);
      tries += 1;
      return Promise.resolve({ outcome: 'retry', reason: 'MongoDB is unavailable.' });
    };
    const consumer = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    const all = notes(600);
    await publisher.publish(topic, all);
    const others = all.filter(({ key }) => partitionOf(key, PARTITIONS) !== sick);
    await eventually(() => {
      expect(handler.wrong(others)).toEqual([]);
    });
    await eventually(() => {
      expect(tries).toBeGreaterThanOrEqual(7);
    });
    expect(handler.effects.size).toBe(others.length);
    well = true;
    await idle(consumer);
    expect(handler.wrong(all)).toEqual([]);
    expect(handler.deadLetters).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  it('goes on after a handler threw', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    let throws = 2;
    handler.before = () => {
      throws -= 1;
      if (throws >= 0) throw new Error('a defect');
      return Promise.resolve(undefined);
    };
    const consumer = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    await publisher.publish(topic, notes(100));
    await idle(consumer);
    expect(handler.wrong(notes(100))).toEqual([]);
    expect(testCluster.fatal).toEqual([]);
  });

  it('sets a poison message aside with its bytes, whether it cannot be read or fails for ever, and processes all others', async () => {
    const publisher = await testCluster.publisher();
    const loose = noteTopic(topic.name);
    const handler = new StoringProcessor();
    handler.before = ({ records }): Promise<BatchResult | undefined> =>
      Promise.resolve(
        records.some(({ value }) => value.id === 'n500') ? { outcome: 'refused', reason: 'no such thing' } : undefined,
      );
    await publisher.publish(topic, notes(400));
    await publisher.publish(loose, [{ id: 7, key: 'k1' } as unknown as Note]);
    await publisher.erase(topic, ['k2']);
    await publisher.publish(topic, notes(1_000).slice(400));
    const metrics = new RecordingMetrics();
    const consumer = testCluster.consumer(publisher, topic, handler, { checkpoints: handler, metrics });
    await consumer.start();
    await idle(consumer);
    expect(handler.wrong(notes(1_000))).toEqual(['n500']);
    const found = await letters();
    expect(found.map(({ reason }) => reason).sort()).toEqual([
      'The value does not fit its topic: id Invalid input: expected string, received number',
      'The value is not JSON.',
      'no such thing',
    ]);
    const refused = found.find(({ reason }) => reason === 'no such thing');
    expect(JSON.parse(Buffer.from(refused?.value ?? '', 'base64').toString())).toMatchObject({ id: 'n500' });
    expect(metrics.deadLetters).toBe(3);
    expect(handler.deadLetters).toHaveLength(3);
  });

  it('waits for a topic that is not there yet', async () => {
    const publisher = await testCluster.publisher();
    const late = noteTopic('late.v1');
    const handler = new StoringProcessor();
    const consumer = testCluster.consumer(publisher, late, handler, { checkpoints: handler });
    const starting = consumer.start();
    await expect(publisher.publish(late, notes(1))).rejects.toThrow(UnavailableError);
    await testCluster.topics([late]);
    await publisher.publish(late, notes(10));
    await starting;
    await idle(consumer);
    expect(handler.wrong(notes(10))).toEqual([]);
  });

  it('finishes the batch that is being processed before it stops, and leaves its group', async () => {
    const publisher = await testCluster.publisher();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<undefined>();
    const handler = new StoringProcessor();
    handler.before = async () => {
      enter(undefined);
      await released;
      return undefined;
    };
    const first = testCluster.consumer(publisher, topic, handler);
    await first.start();
    const oneKey = notes(100, 'n', 1);
    await publisher.publish(topic, oneKey);
    await entered;
    const stopping = first.stop();
    release(undefined);
    await stopping;
    const processed = handler.effects.size;
    expect(processed).toBeGreaterThan(0);
    // Nothing but Kafka's own position keeps what is done from being done again.
    handler.checkpoints.clear();
    const second = testCluster.consumer(publisher, topic, handler);
    await second.start();
    await idle(second);
    expect(handler.wrong(oneKey)).toEqual([]);
  });

  it('leaves its group at the stop, so that no other member waits for it', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const hardlyEver = { sessionTimeoutMs: 600_000 };
    const first = testCluster.consumer(publisher, topic, handler, hardlyEver);
    await first.start();
    await first.stop();
    await publisher.publish(topic, notes(20));
    const second = testCluster.consumer(publisher, topic, handler, hardlyEver);
    await second.start();
    await idle(second);
    expect(handler.wrong(notes(20))).toEqual([]);
  });

  it('without checkpoints goes on where the group committed', async () => {
    const publisher = await testCluster.publisher();
    const handler = new StoringProcessor();
    const first = testCluster.consumer(publisher, topic, handler);
    await first.start();
    await publisher.publish(topic, notes(200));
    await idle(first);
    await first.stop();
    handler.checkpoints.clear();
    await publisher.publish(topic, notes(200, 'later'));
    const second = testCluster.consumer(publisher, topic, handler);
    await second.start();
    await idle(second);
    expect(handler.wrong([...notes(200), ...notes(200, 'later')])).toEqual([]);
  });
});

import { eventually, testKafka } from '@tocsin/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { anyTopic, Corner, notes, noteTopic, RecordingMetrics, StoringHandler } from './real-kafka.contract.ts';

jest.setTimeout(60_000);
const topic = noteTopic('notes.v1');
let corner: Corner;

beforeEach(async () => {
  corner = new Corner((await testKafka()).brokers);
  await corner.topics([topic]);
});
afterEach(() => corner.end());

describe('BatchConsumer on real Kafka', () => {
  it('brings every message to its handler once, in the order of its key, and then has nothing pending', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    const metrics = new RecordingMetrics();
    const consumer = corner.consumer(publisher, topic, handler, { checkpoints: handler, metrics });
    await consumer.start();
    const all = notes(2_000);
    await publisher.publish(topic, all);
    expect(await consumer.pending()).toBeGreaterThanOrEqual(0);
    await eventually(async () => {
      expect(await consumer.pending()).toBe(0);
    });
    expect(handler.wrong(all)).toEqual([]);
    for (const lag of metrics.lag.values()) expect(lag).toBe(0);
    expect(Math.max(...handler.sizes)).toBeLessThanOrEqual(300);
    expect(publisher.partitionFor(anyTopic(topic), 'k1')).toBeLessThan(3);
    expect(corner.fatal).toEqual([]);
  });
});

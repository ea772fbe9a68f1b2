import { EventEmitter } from 'node:events';
import { ManualClock } from '@tocsin/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Consumer, ConsumerRunConfig, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { BatchConsumer } from './batch-consumer.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { RecordingPublisher } from './recording-publisher.ts';
import { subscription } from './subscribe.ts';
import { noteTopic } from './testing/real-kafka.ts';

const topic = noteTopic('notes.v1');
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(() => {
  // Batches of one fetch are joined into a group by it.
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A client that accepts no call while it restarts itself, as kafkajs. */
class RestartingClient extends EventEmitter {
  readonly events = { GROUP_JOIN: 'join', STOP: 'stop', FETCH: 'fetch', CRASH: 'crash' };
  readonly refused: string[] = [];
  readonly resumed: number[] = [];
  isMember = false;
  config: ConsumerRunConfig = {};
  readonly pause = this.#call('pause');
  readonly seek = this.#call('seek');
  connect = () => Promise.resolve();
  disconnect = () => Promise.resolve();
  subscribe = () => Promise.resolve();
  run = (config: ConsumerRunConfig) => {
    this.config = config;
    return Promise.resolve();
  };
  resume = (partitions: readonly object[]) => {
    this.#call('resume')();
    this.resumed.push(partitions.length);
  };

  join(): void {
    this.isMember = true;
    this.emit('join', { payload: { memberAssignment: { [topic.name]: [0] } } });
  }

  stop(): void {
    this.isMember = false;
    this.emit('stop', {});
  }

  #call(name: string): () => void {
    return () => {
      if (this.isMember) return;
      this.refused.push(name);
      throw new Error('Consumer group was not initialized, consumer#run must be called first');
    };
  }
}

const kafkaOf = (client: RestartingClient): KafkaConnection =>
  ({
    consumer: () => client as unknown as Consumer,
    wireName: ({ name }: { name: string }) => name,
    ask: (request: (admin: unknown) => unknown) =>
      Promise.resolve(
        request({
          describeCluster: () => ({ clusterId: 'c' }),
          fetchOffsets: () => [],
          fetchTopicOffsets: () => [{ partition: 0, low: '0', high: '1' }],
        }),
      ),
  }) as unknown as KafkaConnection;

function batch(): EachBatchPayload {
  const message = { offset: '0', timestamp: '0', key: Buffer.from('k'), value: Buffer.from('{"id":"1","key":"k"}') };
  return {
    batch: {
      topic: topic.name,
      partition: 0,
      highWatermark: '1',
      messages: [{ ...message, headers: {} } as KafkaMessage],
    },
    isRunning: () => true,
    isStale: () => false,
    heartbeat: () => Promise.resolve(),
    resolveOffset: () => undefined,
  } as unknown as EachBatchPayload;
}

describe('a consumer that the client restarts', () => {
  it('leaves a partition that waits for another try alone until it has joined again, and reads it then', async () => {
    const client = new RestartingClient();
    let tries = 0;
    const consumer = new BatchConsumer({
      kafka: kafkaOf(client),
      groupId: 'g',
      subscriptions: [
        subscription(topic, {
          process: () => {
            tries += 1;
            return Promise.resolve(tries === 1 ? { outcome: 'retry', reason: 'not now' } : { outcome: 'done' });
          },
          deadLetter: () => Promise.resolve({ outcome: 'done' }),
        }),
      ],
      publisher: new RecordingPublisher(),
      clock: new ManualClock(new Date(0)),
      logger,
      onFatal: () => undefined,
      fetchEveryMs: 1,
    });
    const starting = consumer.start();
    await jest.advanceTimersByTimeAsync(0);
    client.join();
    await starting;
    await client.config.eachBatch?.(batch());
    client.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(client.refused).toEqual([]);
    const before = client.resumed.length;
    client.join();
    await jest.advanceTimersByTimeAsync(10);
    expect(client.resumed.length).toBe(before + 1);
    await client.config.eachBatch?.(batch());
    expect(tries).toBe(2);
    const stopping = consumer.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    await stopping;
  });
});

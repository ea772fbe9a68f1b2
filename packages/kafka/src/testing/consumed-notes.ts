import { eventually, testKafka } from '@tocsin/testkit';
import { expect } from '@jest/globals';
import { TestCluster, noteTopic } from './real-kafka.ts';

/** The topic that the consumers of these tests read. */
export const topic = noteTopic('notes.v1');

/** The part of the shared cluster for one test, with the topic. */
export async function newTestCluster(): Promise<TestCluster> {
  const testCluster = new TestCluster((await testKafka()).brokers);
  await testCluster.topics([topic]);
  return testCluster;
}

/** Resolves when the consumer has processed all records. */
export async function idle(consumer: { pending(): Promise<number> }): Promise<void> {
  await eventually(
    async () => {
      expect(await consumer.pending()).toBe(0);
    },
    { everyMs: 50 },
  );
}

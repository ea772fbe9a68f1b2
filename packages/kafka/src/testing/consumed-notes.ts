import { eventually, testKafka } from '@tocsin/testkit';
import { expect } from '@jest/globals';
import { Corner, noteTopic } from './real-kafka.ts';

/** The topic that the consumers of these tests read. */
export const topic = noteTopic('notes.v1');

/** The part of the shared cluster for one test, with the topic. */
export async function newCorner(): Promise<Corner> {
  const corner = new Corner((await testKafka()).brokers);
  await corner.topics([topic]);
  return corner;
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

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, testKafka } from '@tocsin/testkit';
import { type BatchingPublisher, TopicTail } from './index.ts';
import { TestCluster, notes, noteTopic } from './testing/real-kafka.ts';

const Notes = noteTopic('notes.v1');

let testCluster: TestCluster;
let publisher: BatchingPublisher;
let read: string[];

beforeEach(async () => {
  testCluster = new TestCluster((await testKafka()).brokers);
  await testCluster.topics([Notes]);
  publisher = await testCluster.publisher();
  read = [];
});

afterEach(() => testCluster.end());

function tailOf(): TopicTail {
  const { kafka, logger } = testCluster;
  const onRecord = (key: string, value: Buffer) => {
    read.push(`${key} ${(JSON.parse(value.toString()) as { id: string }).id}`);
  };
  const tail = new TopicTail({
    kafka,
    topic: Notes,
    onRecord,
    logger,
    onFatal: (error) => testCluster.fatal.push(error),
  });
  testCluster.atEnd(() => tail.stop());
  return tail;
}

/** As pages do, which ask again: a slow machine may take longer than a tail waits. */
const followed = (tail: TopicTail) => eventually(() => tail.follow());
const expected = (count: number, tag: string) => notes(count, tag).map(({ id, key }) => `${key} ${id}`);
const sorted = (lines: readonly string[]) => [...lines].sort();

describe('TopicTail on real Kafka', () => {
  it('reads each record that is appended to any partition while it follows the topic, and no other', async () => {
    await publisher.publish(Notes, notes(50, 'before'));
    const tail = tailOf();
    await tail.start();
    await publisher.publish(Notes, notes(50, 'unfollowed'));
    await followed(tail);
    await publisher.publish(Notes, notes(50, 'first'));
    await eventually(() => {
      expect(sorted(read)).toEqual(sorted(expected(50, 'first')));
    });
    tail.unfollow();
    await publisher.publish(Notes, notes(50, 'at-rest'));
    await Promise.all([followed(tail), followed(tail)]);
    await publisher.publish(Notes, notes(50, 'second'));
    await eventually(() => {
      expect(sorted(read)).toEqual(sorted([...expected(50, 'first'), ...expected(50, 'second')]));
    });
    expect(testCluster.fatal).toEqual([]);
  });

  it('refuses within seconds to follow where it has no group yet, and can follow once it has one', async () => {
    const tail = tailOf();
    await expect(tail.follow()).rejects.toThrow('Kafka does not answer.');
    await tail.start();
    await followed(tail);
    await publisher.publish(Notes, notes(5, 'n'));
    await eventually(() => {
      expect(read).toHaveLength(5);
    });
  });
});

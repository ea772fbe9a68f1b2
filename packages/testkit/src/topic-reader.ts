import { randomUUID } from 'node:crypto';

/** A record of a topic. */
export interface TopicRecord {
  /** The name without the prefix of the installation. */
  readonly topic: string;
  readonly partition: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** The value of each header. A header that was written several times has all values, with commas between them. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Topic {
  readonly name: string;
}

interface Arrival {
  readonly topic: string;
  readonly partition: number;
  readonly message: Pick<TopicRecord, 'key' | 'value'> & { readonly headers?: Readonly<Record<string, unknown>> };
}

interface Consumer {
  connect(): Promise<void>;
  subscribe(to: { topics: string[]; fromBeginning: boolean }): Promise<void>;
  run(how: { eachMessage: (arrival: Arrival) => Promise<void> }): Promise<void>;
  disconnect(): Promise<void>;
}

interface Admin {
  fetchTopicOffsets(topic: string): Promise<readonly { readonly low: string; readonly high: string }[]>;
}

/** A connection to Kafka. It is not the type `KafkaConnection`, because the tests of that class also read with this file. */
interface Kafka {
  wireName(topic: Topic): string;
  consumer(group: { groupId: string; soleMember: boolean }): Consumer;
  ask<T>(question: (admin: Admin) => Promise<T>): Promise<T>;
}

/**
 * Calls `seen` with every record of `topics` from their beginning, those of a partition in order. Resolves with a function that
 * stops it.
 */
export async function followTopics(
  kafka: Kafka,
  topics: readonly Topic[],
  seen: (record: TopicRecord) => void,
): Promise<() => Promise<void>> {
  const names = new Map(topics.map((topic) => [kafka.wireName(topic), topic.name]));
  // A group of its own, so that it waits for no other consumer. The session is longer than the time for which tests freeze brokers.
  const groupId = kafka.wireName({ name: `read-${randomUUID()}` });
  const consumer = kafka.consumer({ groupId, soleMember: true });
  await consumer.connect();
  await consumer.subscribe({ topics: [...names.keys()], fromBeginning: true });
  await consumer.run({
    eachMessage: ({ topic, partition, message: { key, value, headers = {} } }) => {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
      seen({ topic: names.get(topic) ?? topic, partition, key, value, headers: texts });
      return Promise.resolve();
    },
  });
  return () => consumer.disconnect();
}

/** Resolves with the present records of a topic, those of a partition in order. */
export async function readTopic(kafka: Kafka, topic: Topic): Promise<readonly TopicRecord[]> {
  const offsets = await kafka.ask((admin) => admin.fetchTopicOffsets(kafka.wireName(topic)));
  const expected = offsets.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
  const records: TopicRecord[] = [];
  if (expected === 0) return records;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = await followTopics(kafka, [topic], (record) => {
    records.push(record);
    if (records.length >= expected) resolve(undefined);
  });
  await promise;
  await end();
  return records;
}

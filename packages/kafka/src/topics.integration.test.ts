import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeadLetters, type TopicDefinition } from '@tocsin/events';
import { freePort, kafkaProtocol, startKafka, testKafka, WatchedProxy } from '@tocsin/testkit';
import kafkajs from 'kafkajs';
import { ensureTopics, type MessagingLogger } from './index.ts';
import { anyTopic, TestCluster, noteTopic } from './testing/real-kafka.ts';

const DAY_MS = 86_400_000;

let testCluster: TestCluster;
let cluster: { readonly brokers: readonly string[]; readonly prefix: string; readonly partitions: number };
beforeAll(async () => {
  const { brokers } = await testKafka();
  testCluster = new TestCluster(brokers);
  cluster = { brokers, prefix: testCluster.prefix, partitions: 3 };
});
afterAll(() => testCluster.end());

/** A topic as another program made it: an earlier release, or an operator by hand. */
async function made(
  settings: Readonly<Record<string, string>>,
  topic: TopicDefinition<never> = anyTopic(noteTopic(`notes-${randomUUID()}.v1`, 'commands')),
): Promise<TopicDefinition<never>> {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await testCluster.kafka.ask((admin) =>
    admin.createTopics({ topics: [{ topic: testCluster.kafka.wireName(topic), numPartitions: 2, configEntries }] }),
  );
  return topic;
}

/** Everything that is set on the topic itself. */
async function settingsOf(topic: TopicDefinition<never>): Promise<Readonly<Record<string, string>>> {
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: testCluster.kafka.wireName(topic) }];
  const answer = await testCluster.kafka.ask((admin) => admin.describeConfigs({ resources, includeSynonyms: false }));
  const entries = answer.resources.flatMap(({ configEntries }) => configEntries);
  const own = entries.filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG);
  return Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue]));
}

/** Ensures the topic and answers what was said. */
async function ensured(topic: TopicDefinition<never>): Promise<readonly string[]> {
  const lines: string[] = [];
  const record = (_fields: object, message: string): void => void lines.push(message);
  const logger: MessagingLogger = { debug: record, info: record, warn: record, error: record };
  await ensureTopics({ ...cluster, topics: [topic], logger });
  return lines;
}

const OWN_SETTINGS = {
  'cleanup.policy': 'delete',
  'retention.ms': String(14 * DAY_MS),
  'retention.bytes': '-1',
  'message.timestamp.type': 'LogAppendTime',
  'max.message.bytes': '1048576',
};

describe('a topic of commands that exists already', () => {
  it('gets the settings that consumers rely on, keeps other settings of the operator, and the log names each change', async () => {
    const byHand = { 'segment.bytes': '10485760', 'min.insync.replicas': '1' };
    const topic = await made({ ...byHand, 'retention.ms': String(DAY_MS), 'cleanup.policy': 'delete' });

    const lines = await ensured(topic);

    expect(await settingsOf(topic)).toEqual({ ...byHand, ...OWN_SETTINGS });
    const name = testCluster.kafka.wireName(topic);
    expect(lines).toContain(`Topic ${name}: message.timestamp.type was CreateTime and is LogAppendTime now.`);
    expect(lines).toContain(`Topic ${name}: retention.ms was 86400000 and is 1209600000 now.`);
    expect(await ensured(topic)).toEqual([]);
  });

  it('keeps dead letters for longer where its operator wants that, and no shorter', async () => {
    const topic = await made({ 'retention.ms': '-1', 'max.message.bytes': '2000000' }, anyTopic(DeadLetters));
    await ensured(topic);
    expect(await settingsOf(topic)).toMatchObject({ 'retention.ms': '-1', 'max.message.bytes': '1048576' });
  });

  it('ends with the same settings when several processes start at once', async () => {
    const topic = await made({ 'segment.bytes': '10485760', 'message.timestamp.type': 'CreateTime' });

    await Promise.all([ensured(topic), ensured(topic), ensured(topic)]);

    expect(await settingsOf(topic)).toMatchObject({ ...OWN_SETTINGS, 'segment.bytes': '10485760' });
  });

  it('keeps its partitions', async () => {
    const topic = await made({});
    await ensured(topic);
    const name = testCluster.kafka.wireName(topic);
    const { topics } = await testCluster.kafka.ask((admin) => admin.fetchTopicMetadata({ topics: [name] }));
    expect(topics[0]?.partitions).toHaveLength(2);
  });
});

describe('a topic that the broker takes longer to create than the client waits', () => {
  it('is there in the end, and no error is thrown', async () => {
    const port = await freePort();
    const broker = await startKafka({ advertisedPort: port });
    const proxy = await WatchedProxy.start(broker.port, kafkaProtocol('slow.'), port);
    let held = 0;
    proxy.watch(({ when, what }) => {
      if (when === 'before' || !what.endsWith('notes.v1') || held > 0) return 'pass';
      held += 1;
      return 'hold';
    });
    const topics = [anyTopic(noteTopic('notes.v1'))];
    await ensureTopics({ brokers: [`127.0.0.1:${port}`], prefix: 'slow.', topics, partitions: 1 });
    expect(held).toBe(1);
    await proxy.stop();
    await broker.stop();
  });
});

import { afterAll, expect, jest, test } from '@jest/globals';
import { AlertCommands } from '@tocsin/events';
import { KafkaConnection } from '@tocsin/kafka';
import { testKafka } from '@tocsin/testkit';
import { createTopics } from './preparation.ts';
import { terminal } from './terminal.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };

afterAll(() => {
  jest.restoreAllMocks();
});

test('the terminal shows what an upgrade changes on a topic that exists, and nothing where all is as it should be', async () => {
  const said: string[] = [];
  jest.spyOn(terminal, 'complain').mockImplementation((line) => void said.push(line));
  const { brokers, topicPrefix } = await testKafka();
  const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger: quiet });
  const topic = kafka.wireName(AlertCommands);
  await kafka.ask((admin) => admin.createTopics({ topics: [{ topic, numPartitions: 6 }] }));
  await kafka.stop();

  await createTopics(brokers.join(','), topicPrefix);
  expect(said.join('\n')).toContain(`Topic ${topic}: message.timestamp.type was CreateTime and is LogAppendTime now.`);

  said.length = 0;
  await createTopics(brokers.join(','), topicPrefix);
  expect(said).toEqual([]);
});

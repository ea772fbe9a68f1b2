/**
 * The work after the start of an engine, in a process of its own that ends: the clients of Kafka and MongoDB would take more memory in
 * the supervisor than everything else in it.
 */
import { ALL_TOPICS } from '@tocsin/events';
import { requireReplicaSet } from '@tocsin/testkit';
import { terminal } from './terminal.ts';

const PARTITIONS = 6;

const [task] = process.argv.slice(2);
const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '', MONGODB_URI = '' } = process.env;
try {
  if (task === 'mongo') await requireReplicaSet(MONGODB_URI);
  else if (task === 'topics') await createTopics(KAFKA_BROKERS, KAFKA_TOPIC_PREFIX);
  else throw new Error('Say what to prepare: mongo (MONGODB_URI), or topics (KAFKA_BROKERS, KAFKA_TOPIC_PREFIX).');
  process.exit(0);
} catch (error) {
  terminal.complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function createTopics(brokers: string, prefix: string): Promise<void> {
  const { ensureTopics, readKafkaSecurity } = await import('@tocsin/kafka');
  const reading = readKafkaSecurity(process.env);
  if ('problems' in reading) throw new Error(reading.problems.join('\n'));
  const { security } = reading;
  const complain = (_fields: object, message: string): void => {
    terminal.complain(message);
  };
  await ensureTopics({
    brokers: brokers.split(','),
    prefix,
    topics: ALL_TOPICS,
    partitions: PARTITIONS,
    // A cluster of the caller's knows best; our own broker makes one.
    replication: -1,
    security,
    logger: { debug: () => undefined, info: complain, warn: complain, error: complain },
  });
}

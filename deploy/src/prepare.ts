/**
 * What has to be done once an engine is up, in a process of its own that ends: the clients of Kafka and MongoDB would take
 * more memory in the supervisor than everything else in it.
 */
import { ALL_TOPICS } from '@tocsin/contracts';
import { initiateReplicaSet, requireReplicaSet } from '@tocsin/local-stack';
import { terminal } from './terminal.ts';

const PARTITIONS = 6;

const [task, ...args] = process.argv.slice(2);
try {
  if (task === 'replica-set') await initiateReplicaSet(Number(args[0]));
  else if (task === 'mongo') await requireReplicaSet(args[0] ?? '');
  else if (task === 'topics') await createTopics(args[0] ?? '', args[1] ?? '');
  else throw new Error('Say what to prepare: replica-set <port>, mongo <uri>, or topics <brokers> <prefix>.');
  process.exit(0);
} catch (error) {
  terminal.complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function createTopics(brokers: string, prefix: string): Promise<void> {
  const { ensureTopics } = await import('@tocsin/messaging');
  await ensureTopics({ brokers: brokers.split(','), prefix, topics: ALL_TOPICS, partitions: PARTITIONS });
}

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Checkpoint } from '@tocsin/events';
import { TestCluster, noteTopic, StoringProcessor } from './real-kafka.ts';

/** One processed batch: effects and position in one line, so that both are there or neither. */
export interface ProcessedLine {
  readonly checkpoint: Checkpoint;
  readonly ids: readonly string[];
}

export const CRASH_TOPIC = noteTopic('crashes.v1');

export function processedLines(file: string): readonly ProcessedLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as ProcessedLine);
}

/** A consumer process that kills itself after it has stored its `deathAt`-th batch, before its offset is committed to Kafka. */
async function work(brokers: string, prefix: string, file: string, deathAt: number): Promise<void> {
  const testCluster = new TestCluster(brokers.split(','), prefix);
  const handler = new StoringProcessor();
  for (const { checkpoint } of processedLines(file))
    handler.checkpoints.set(`${checkpoint.topic}/${checkpoint.partition}`, checkpoint);
  let batches = 0;
  handler.before = ({ topic, partition, clusterId, records }) => {
    const at = handler.checkpoints.get(`${topic}/${partition}`)?.offset ?? 0;
    const [first] = records;
    const last = records.at(-1);
    if (first === undefined || last === undefined) return Promise.resolve({ outcome: 'done' });
    if (first.offset > at) return Promise.resolve({ outcome: 'seek', offset: at });
    const ids = records.filter(({ offset }) => offset >= at).map(({ value }) => value.id);
    const position = { offset: last.offset + 1, lastKey: last.key, lastTimestampMs: last.timestampMs };
    const checkpoint: Checkpoint = { topic, partition, clusterId, ...position };
    appendFileSync(file, `${JSON.stringify({ checkpoint, ids } satisfies ProcessedLine)}\n`);
    handler.checkpoints.set(`${topic}/${partition}`, checkpoint);
    batches += 1;
    if (batches === deathAt) process.kill(process.pid, 'SIGKILL');
    return Promise.resolve({ outcome: 'done' });
  };
  const publisher = await testCluster.publisher();
  const options = { checkpoints: handler, maxRecordsPerPartition: 50 };
  await testCluster.consumer(publisher, CRASH_TOPIC, handler, options).start();
}

const [, script = '', brokers, prefix, file, deathAt] = process.argv;
if (script.endsWith('crash-worker.ts') && brokers !== undefined)
  await work(brokers, prefix ?? '', file ?? '', Number(deathAt));

import { randomUUID } from 'node:crypto';
import type { TopicDefinition } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { EachBatchPayload } from 'kafkajs';
import { type FetchedRecord, toFetchedRecord } from './fetched-record.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { type LogBounds, logBounds } from './log-bounds.ts';

/** What {@link scanTopic} needs. */
export interface TopicScan {
  readonly kafka: KafkaConnection;
  readonly topic: Pick<TopicDefinition<never>, 'name'>;
  /** Called with one record after the other, those of a partition in order. What it throws ends the scan. */
  readonly take: (record: FetchedRecord, partition: number) => Promise<void> | void;
}

/** Brokers that answer nothing for this long are away, milliseconds. */
const LONGEST_SILENCE_MS = 30_000;

/**
 * Calls `take` with every record that the topic holds at the call, and none that comes later. Leaves no consumer group behind.
 *
 * @throws UnavailableError when the brokers fall silent, and whatever keeps them from saying what the topic holds.
 */
export async function scanTopic({ kafka, topic, take }: TopicScan): Promise<void> {
  const bounds = await logBounds(kafka, topic);
  const ends = new Map([...bounds].filter(([, { start, end }]) => start < end));
  if (ends.size === 0) return;
  const consumer = kafka.consumer({ groupId: `${kafka.clientId}-scan-${randomUUID()}` });
  const silence = new Silence();
  try {
    await Promise.race([consumer.connect(), silence.broken]);
    await consumer.subscribe({ topics: [kafka.wireName(topic)], fromBeginning: true });
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    let over = false;
    await consumer.run({
      autoCommit: false,
      eachBatch: async (payload) => {
        // Batches that were fetched before still arrive until the consumer has left.
        if (over) return;
        try {
          await takeBatch(payload, ends, take, silence);
          if (ends.size === 0) resolve(undefined);
        } catch (error) {
          over = true;
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
    await Promise.race([promise, silence.broken]);
  } finally {
    silence.end();
    await consumer.disconnect().catch(() => undefined);
  }
}

/** Takes the records of the scan, and removes a finished partition from `ends`. */
async function takeBatch(
  payload: EachBatchPayload,
  ends: Map<number, LogBounds>,
  take: TopicScan['take'],
  silence: Silence,
): Promise<void> {
  const { batch } = payload;
  const { partition } = batch;
  const end = ends.get(partition)?.end ?? 0;
  for (const message of batch.messages) {
    const record = toFetchedRecord(message);
    if (record.offset >= end || !payload.isRunning()) break;
    silence.postpone();
    await take(record, partition);
    await payload.heartbeat();
  }
  if (Number(batch.lastOffset()) + 1 >= end) ends.delete(partition);
}

/** Rejects when nothing has come for too long. */
class Silence {
  readonly #over = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#over.promise.catch(() => undefined);
    this.postpone();
  }

  get broken(): Promise<never> {
    return this.#over.promise;
  }

  postpone(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#over.reject(new UnavailableError(`Kafka sent nothing for ${LONGEST_SILENCE_MS / 1_000} s.`));
    }, LONGEST_SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

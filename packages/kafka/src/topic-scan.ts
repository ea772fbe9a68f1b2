import { randomUUID } from 'node:crypto';
import type { NamedTopic } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { EachBatchPayload } from 'kafkajs';
import { type FetchedRecord, toFetchedRecord } from './fetched-record.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { type LogBounds, logBounds } from './log-bounds.ts';

/** Options of {@link scanTopic}. */
export interface TopicScan {
  readonly kafka: KafkaConnection;
  readonly topic: NamedTopic;
  /** Where to begin: only these partitions are read, each from its offset. Default: all, from their beginning. */
  readonly from?: ReadonlyMap<number, number>;
  /** Called with one record after the other, in the order of each partition. An error that it throws ends the scan. */
  readonly onRecord: (record: FetchedRecord, partition: number) => Promise<void> | void;
}

/** The scan fails when no record comes for this long. */
const SILENCE_TIMEOUT_MS = 30_000;

/**
 * Calls `onRecord` with every record that the topic holds at the call, and with none that comes later. It commits no
 * offsets, so Kafka removes its consumer group afterwards.
 *
 * @throws UnavailableError when the brokers send nothing for 30 s, and any error of asking for the offsets of the topic.
 */
export async function scanTopic({ kafka, topic, onRecord, from }: TopicScan): Promise<void> {
  const bounds = await logBounds(kafka, topic);
  const startOf = (partition: number, { end, start }: LogBounds): number =>
    from === undefined ? start : Math.max(start, from.get(partition) ?? end);
  const unread = new Map([...bounds].filter(([partition, log]) => startOf(partition, log) < log.end));
  if (unread.size === 0) return;
  const consumer = kafka.consumer({ groupId: `${kafka.clientId}-scan-${randomUUID()}` });
  const silence = new SilenceTimeout();
  const name = kafka.wireName(topic);
  consumer.on(consumer.events.GROUP_JOIN, () => {
    for (const [partition, log] of bounds) {
      if (from === undefined) continue;
      if (unread.has(partition)) consumer.seek({ topic: name, partition, offset: String(startOf(partition, log)) });
      else consumer.pause([{ topic: name, partitions: [partition] }]);
    }
  });
  try {
    await Promise.race([consumer.connect(), silence.tooLong]);
    await consumer.subscribe({ topics: [name], fromBeginning: true });
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    let failed = false;
    await consumer.run({
      autoCommit: false,
      eachBatch: async (payload) => {
        // Batches that are fetched already still arrive until the consumer is disconnected.
        if (failed) return;
        try {
          await readBatch(payload, unread, onRecord, silence);
          if (unread.size === 0) resolve(undefined);
        } catch (error) {
          failed = true;
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
    await Promise.race([promise, silence.tooLong]);
  } finally {
    silence.end();
    await consumer.disconnect().catch(() => undefined);
  }
}

/** Reads the records below the end of the partition, and removes the partition from `unread` once it is finished. */
async function readBatch(
  payload: EachBatchPayload,
  unread: Map<number, LogBounds>,
  onRecord: TopicScan['onRecord'],
  silence: SilenceTimeout,
): Promise<void> {
  const { batch } = payload;
  const { partition } = batch;
  const end = unread.get(partition)?.end ?? 0;
  for (const message of batch.messages) {
    const record = toFetchedRecord(message);
    if (record.offset >= end || !payload.isRunning()) break;
    silence.restart();
    await onRecord(record, partition);
    await payload.heartbeat();
  }
  if (Number(batch.lastOffset()) + 1 >= end) unread.delete(partition);
}

/** A time limit that begins again with each record. */
class SilenceTimeout {
  readonly #limit = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#limit.promise.catch(() => undefined);
    this.restart();
  }

  get tooLong(): Promise<never> {
    return this.#limit.promise;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#limit.reject(new UnavailableError(`Kafka sent nothing for ${SILENCE_TIMEOUT_MS / 1_000} s.`));
    }, SILENCE_TIMEOUT_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@tocsin/core';
import type { CheckpointStore } from '@tocsin/events';
import type { Consumer, ConsumerGroupJoinEvent, ConsumerRunConfig, EachBatchPayload } from 'kafkajs';
import { Assignment, type ConsumedTopic } from './assignment.ts';
import { DeadLetterPublisher } from './dead-letter-publisher.ts';
import { FetchRateLimit } from './fetch-rate-limit.ts';
import { toFetchedRecord } from './fetched-record.ts';
import { type KafkaConnection, withKafkaTimeout } from './kafka-connection.ts';
import type { ReadBounds } from './log-bounds.ts';
import type { Backlog, ConsumerMetrics, MessagingLogger, Publisher } from './ports.ts';
import { OffsetCommitter } from './offset-committer.ts';
import type { PartitionReader } from './partition-reader.ts';
import { CheckpointPositions, CommittedPositions, type Positions } from './positions.ts';
import { RecordGroups } from './record-groups.ts';
import { runConsumer } from './run-consumer.ts';
import { subscribe, type Subscription } from './subscribe.ts';
import type { MessageTracer } from './tracing.ts';

/** The dependencies of a consumer, and its bounds. */
export interface BatchConsumerOptions {
  readonly kafka: KafkaConnection;
  readonly groupId: string;
  /** Each topic once. */
  readonly subscriptions: readonly Subscription[];
  /** Publishes the dead letters. */
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly logger: MessagingLogger;
  /** Called when the consumer cannot recover by itself: shut the process down and start it again. */
  readonly onFatal: (error: Error) => void;
  /** Reads the positions that processors store with their effects. Without it Kafka has them, and processors must be idempotent. */
  readonly checkpoints?: CheckpointStore | undefined;
  readonly metrics?: ConsumerMetrics | undefined;
  /** Without it the trace headers of records are ignored. */
  readonly tracer?: MessageTracer | undefined;
  /** Most records that are processed together; 300 by default. */
  readonly maxRecordsPerPartition?: number;
  /**
   * Under a steady stream, the consumer fetches from each broker once in this many milliseconds, so that batches grow. A few
   * fetches in a row are never delayed. 150 by default.
   */
  readonly fetchEveryMs?: number;
  /**
   * A process that sends no heartbeat for this long loses its partitions, milliseconds. 6 000 by default, the shortest that
   * brokers allow by default.
   */
  readonly sessionTimeoutMs?: number;
}

const MAX_PARTITIONS_AT_ONCE = 8;
const HEARTBEAT_MS = 1_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Gives every record of its topics to the processor of the topic at least once, in order within a partition. It moves past a record
 * only once its effects or its dead letter are stored. With checkpoints in the transaction of the effects, each effect happens
 * exactly once, even over crashes, rebalances and recreated topics.
 *
 * | word  | records                                                                                     | made by              |
 * | ----- | ------------------------------------------------------------------------------------------- | -------------------- |
 * | batch | all records of one partition that one fetch brings                                          | kafkajs              |
 * | run   | a part of these within `RecordLimit`: a `ConsumedBatch`, or one record that cannot be read   | `PartitionProcessor` |
 * | group | runs of several partitions, which the processor of the topic processes in one transaction   | `RecordGroups`       |
 */
export class BatchConsumer {
  readonly #options: BatchConsumerOptions;
  readonly #consumer: Consumer;
  readonly #positions: Positions;
  readonly #deadLetters: DeadLetterPublisher;
  readonly #committer: OffsetCommitter;
  readonly #topics: ReadonlyMap<string, ConsumedTopic>;
  readonly #running = new Set<Promise<void>>();
  readonly #rateLimit: FetchRateLimit;
  readonly #abort = new AbortController();
  readonly #ready = Promise.withResolvers<undefined>();
  #assignment: Assignment | undefined;
  #stopping = false;

  constructor(options: BatchConsumerOptions) {
    const { kafka, groupId, checkpoints, logger, publisher, clock } = options;
    this.#options = options;
    this.#consumer = kafka.consumer({
      groupId,
      sessionTimeoutMs: options.sessionTimeoutMs ?? 6_000,
      isWanted: () => !this.#stopping,
    });
    this.#positions =
      checkpoints === undefined ? new CommittedPositions(kafka, groupId) : new CheckpointPositions(checkpoints, logger);
    this.#deadLetters = new DeadLetterPublisher({ publisher, groupId, clock });
    this.#committer = new OffsetCommitter((offsets) => this.#consumer.commitOffsets(offsets), logger);
    this.#rateLimit = new FetchRateLimit(options.fetchEveryMs ?? 150);
    this.#topics = new Map(
      options.subscriptions.map((entry) => [
        kafka.wireName(entry.topic),
        { ...entry, groups: new RecordGroups<never>({ ...entry.groups, processor: entry.processor }) },
      ]),
    );
  }

  /**
   * Resolves when the group has assigned partitions to this process and their positions are known. Waits for brokers and topics
   * without a limit.
   */
  async start(): Promise<void> {
    const { events } = this.#consumer;
    this.#consumer.on(events.GROUP_JOIN, (event) => {
      this.#beginAssignment(event);
    });
    // The client stops before it restarts itself, and until it has joined again it accepts no seek, pause or resume.
    this.#consumer.on(events.STOP, () => this.#assignment?.retire());
    this.#consumer.on(events.FETCH, ({ payload }) => {
      this.#rateLimit.fetched(payload.nodeId);
    });
    await this.#consumer.connect();
    const { logger, onFatal } = this.#options;
    const isWanted = (): boolean => !this.#stopping;
    await subscribe(this.#consumer, [...this.#topics.keys()], { logger, isWanted });
    if (this.#stopping) return;
    const config: ConsumerRunConfig = {
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: MAX_PARTITIONS_AT_ONCE,
      eachBatch: (payload) => this.#eachBatch(payload),
    };
    await runConsumer(this.#consumer, config, { logger, onFatal, isWanted });
    await this.#ready.promise;
  }

  /** Finishes the running batches and leaves the group, within 10 s of real time. Never throws. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#abort.abort();
    const leave = async (): Promise<void> => {
      await Promise.allSettled(this.#running);
      await this.#committer.flush();
      this.#assignment?.retire();
      await this.#consumer.disconnect();
    };
    await withKafkaTimeout(STOP_TIMEOUT_MS, leave()).catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'The consumer did not leave its group in order.');
    });
  }

  /**
   * The backlog of this process's partitions together. Infinity until the group has assigned partitions. A caller that asks many consumers
   * may give `readBounds`, which reads each topic once.
   *
   * @throws UnavailableError when no broker answers.
   */
  async pending(readBounds?: ReadBounds): Promise<number> {
    return this.#assignment === undefined ? Number.POSITIVE_INFINITY : this.#assignment.pending(readBounds);
  }

  /** Partition of `topic` -> what is not processed of it, of this process's partitions and as far as it was fetched. */
  backlogs(topic: string): ReadonlyMap<string, Backlog> {
    return this.#assignment?.backlogs(topic) ?? new Map<string, Backlog>();
  }

  /** Pauses the partitions before it returns, because the client may fetch from then on. */
  #beginAssignment({ payload }: ConsumerGroupJoinEvent): void {
    const { kafka, logger, metrics, maxRecordsPerPartition = 300, tracer } = this.#options;
    this.#assignment?.retire();
    this.#committer.clear();
    const assignment = new Assignment({
      kafka,
      consumer: this.#consumer,
      partitions: payload.memberAssignment,
      topics: this.#topics,
      positions: this.#positions,
      deadLetters: this.#deadLetters,
      committer: this.#committer,
      logger,
      metrics,
      tracer,
      maxRecordsPerPartition,
    });
    this.#assignment = assignment;
    assignment.pauseAll();
    void assignment.begin().then((begun) => {
      if (begun) this.#ready.resolve(undefined);
    });
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const reader = this.#assignment?.reader(batch.topic, batch.partition);
    // No offset is resolved here, so the next reader of the partition fetches the same records.
    if (reader === undefined || this.#stopping || !payload.isRunning() || payload.isStale()) return;
    const reading = this.#read(reader, payload);
    this.#running.add(reading);
    try {
      await reading;
    } finally {
      this.#running.delete(reading);
    }
  }

  async #read(reader: PartitionReader, payload: EachBatchPayload): Promise<void> {
    const isTraced = this.#options.tracer !== undefined;
    const endsAtMs = this.#rateLimit.mayEndAt(performance.now());
    const heartbeats = setInterval(() => void payload.heartbeat().catch(() => undefined), HEARTBEAT_MS);
    try {
      await reader.read({
        records: payload.batch.messages.map((message) => toFetchedRecord(message, isTraced)),
        end: Number(payload.batch.highWatermark),
        resolve: (offset) => {
          payload.resolveOffset(String(offset));
        },
        isRunning: () => payload.isRunning() && !this.#stopping,
      });
      await this.#waitUntil(endsAtMs);
    } finally {
      clearInterval(heartbeats);
    }
  }

  /** Delays the next fetch: the client fetches from a broker again once every batch of the last fetch is done. */
  async #waitUntil(instantMs: number): Promise<void> {
    const waitMs = instantMs - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal: this.#abort.signal }).catch(() => undefined);
  }
}

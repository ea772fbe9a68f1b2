import { retry, UnavailableError } from '@tocsin/core';
import type { Consumer } from 'kafkajs';
import type { DeadLetterPublisher } from './dead-letter-publisher.ts';
import type { StartPosition } from './start-position.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { backlogOf, logBounds, offsetsSince, type ReadBounds } from './log-bounds.ts';
import type { Backlog, ConsumerMetrics, MessagingLogger } from './ports.ts';
import type { OffsetCommitter } from './offset-committer.ts';
import { PartitionReader, type PartitionControl } from './partition-reader.ts';
import { lastProcessed, type Positions } from './positions.ts';
import type { RecordGroups } from './record-groups.ts';
import { PartitionProcessor } from './partition-processor.ts';
import type { Subscription } from './subscribe.ts';
import type { MessageTracer } from './tracing.ts';

/** A subscription with the groups of its records, which outlive an assignment. */
export interface ConsumedTopic extends Omit<Subscription, 'groups'> {
  readonly groups: RecordGroups<never>;
}

export interface AssignmentOptions {
  readonly kafka: Pick<KafkaConnection, 'ask' | 'wireName'>;
  readonly consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>;
  /** By wire name: the topic's name with the installation's prefix. */
  readonly partitions: Readonly<Record<string, readonly number[]>>;
  readonly topics: ReadonlyMap<string, ConsumedTopic>;
  readonly positions: Positions;
  readonly deadLetters: DeadLetterPublisher;
  readonly committer: Pick<OffsetCommitter, 'mark'>;
  readonly logger: MessagingLogger;
  readonly metrics?: ConsumerMetrics | undefined;
  readonly tracer?: MessageTracer | undefined;
  readonly maxRecordsPerPartition: number;
}

interface AssignedTopic {
  readonly wireName: string;
  readonly subscription: ConsumedTopic;
  readonly partitions: readonly number[];
}

/** The partitions that the group has assigned to this process, until the next rebalance. */
export class Assignment {
  readonly #options: AssignmentOptions;
  readonly #assigned: readonly AssignedTopic[];
  readonly #readers = new Map<string, PartitionReader>();
  #retired = false;

  constructor(options: AssignmentOptions) {
    this.#options = options;
    this.#assigned = Object.entries(options.partitions).flatMap(([wireName, partitions]) => {
      const subscription = options.topics.get(wireName);
      return subscription === undefined ? [] : [{ wireName, subscription, partitions }];
    });
  }

  /** Pauses all partitions: nothing is fetched until `begin` has read the positions. */
  pauseAll(): void {
    this.#options.consumer.pause(this.#topicPartitions());
  }

  /**
   * Reads the positions, retrying until it has them, and resumes the partitions there. Resolves with false when a rebalance
   * came first. Never throws.
   */
  async begin(): Promise<boolean> {
    const begun = await retry(() => this.#begin(), {
      isWanted: () => !this.#retired,
      onFailure: (error, attempt) => {
        this.#options.logger.warn({ err: error, attempt }, 'Positions cannot be read yet.');
      },
    });
    return begun ?? false;
  }

  reader(wireName: string, partition: number): PartitionReader | undefined {
    return this.#readers.get(`${wireName}/${partition}`);
  }

  retire(): void {
    this.#retired = true;
    for (const reader of this.#readers.values()) reader.retire();
  }

  /** The backlog of all partitions together. @throws UnavailableError when no broker answers. */
  async pending(readBounds: ReadBounds = (topic) => logBounds(this.#options.kafka, topic)): Promise<number> {
    let sum = 0;
    for (const { wireName, subscription, partitions } of this.#assigned) {
      const bounds = await readBounds(subscription.topic).catch((error: unknown) => {
        throw new UnavailableError('Kafka does not answer.', { cause: error });
      });
      for (const partition of partitions) {
        const log = bounds.get(partition);
        if (log !== undefined) sum += backlogOf(log, this.reader(wireName, partition)?.position);
      }
    }
    return sum;
  }

  /** Partition of `topic` -> what is not processed of it, as far as it was fetched. */
  backlogs(topic: string): ReadonlyMap<string, Backlog> {
    const backlogs = new Map<string, Backlog>();
    for (const { partitions, subscription, wireName } of this.#assigned) {
      if (subscription.topic.name !== topic) continue;
      for (const partition of partitions) {
        const backlog = this.reader(wireName, partition)?.backlog;
        if (backlog !== undefined) backlogs.set(String(partition), backlog);
      }
    }
    return backlogs;
  }

  async #begin(): Promise<boolean> {
    const { kafka, positions, consumer } = this.#options;
    const { clusterId } = await kafka.ask((admin) => admin.describeCluster());
    const found = await Promise.all(
      this.#assigned.map(async (assigned) => ({
        ...assigned,
        startPositions: await positions.read(assigned.subscription.topic, assigned.partitions, clusterId),
      })),
    );
    if (this.#retired) return false;
    for (const { startPositions, ...assigned } of found)
      for (const [partition, startPosition] of startPositions)
        this.#startReader(assigned, partition, clusterId, startPosition);
    consumer.resume(this.#topicPartitions());
    return true;
  }

  #startReader(
    { wireName, subscription }: AssignedTopic,
    partition: number,
    clusterId: string,
    startPosition: StartPosition,
  ): void {
    const { positions, deadLetters, logger, metrics, maxRecordsPerPartition, tracer } = this.#options;
    const { topic, groups, processor } = subscription;
    metrics?.consuming(topic.name);
    const reader = new PartitionReader({
      topic: topic.name,
      partition,
      clusterId,
      control: this.#control(wireName, topic, partition),
      positions,
      processor: new PartitionProcessor<unknown>({
        topic,
        partition,
        groups,
        processor,
        deadLetters,
        logger,
        metrics,
        tracer,
      }),
      logger,
      metrics,
      maxRecordsPerPartition,
    });
    this.#readers.set(`${wireName}/${partition}`, reader);
    reader.begin(startPosition);
  }

  #control(wireName: string, topic: Subscription['topic'], partition: number): PartitionControl {
    const { consumer, kafka, committer } = this.#options;
    const self = [{ topic: wireName, partitions: [partition] }];
    return {
      seek: (offset) => {
        consumer.seek({ topic: wireName, partition, offset: String(offset) });
      },
      pause: () => {
        consumer.pause(self);
      },
      resume: () => {
        consumer.resume(self);
      },
      logStart: async () => (await logBounds(kafka, topic)).get(partition)?.start ?? 0,
      firstSince: async (timestampMs) => (await offsetsSince(kafka, topic, timestampMs)).get(partition) ?? 0,
      processed: (offset, last) => {
        committer.mark(wireName, partition, offset, lastProcessed(last));
      },
    };
  }

  #topicPartitions(): { topic: string; partitions: number[] }[] {
    return this.#assigned.map(({ wireName, partitions }) => ({ topic: wireName, partitions: [...partitions] }));
  }
}

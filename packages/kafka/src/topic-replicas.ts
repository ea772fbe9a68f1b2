import { randomUUID } from 'node:crypto';
import { LongWork, retry, UnavailableError } from '@tocsin/core';
import type { StateMessage, TopicDefinition, NamedTopic } from '@tocsin/events';
import type { Batch, Consumer, ConsumerGroupJoinEvent, ConsumerRunConfig, EachBatchPayload } from 'kafkajs';
import { toFetchedRecord } from './fetched-record.ts';
import { type KafkaConnection, withKafkaTimeout } from './kafka-connection.ts';
import { backlogOf, type LogBounds, logBounds, type ReadBounds } from './log-bounds.ts';
import type { ConsumerMetrics, MessagingLogger, MissLookUp } from './ports.ts';
import { Replica } from './replica.ts';
import { StateVersions } from './state-versions.ts';
import type { Indexes } from './state-table.ts';
import { runConsumer } from './run-consumer.ts';
import { subscribe } from './subscribe.ts';

export interface TopicReplicasOptions {
  readonly kafka: KafkaConnection;
  /** Asks the owner of a topic for an entity that its replica lacks, unless `add` is given another one. */
  readonly lookUp: MissLookUp;
  readonly logger: MessagingLogger;
  /** Called when the consumer cannot recover by itself: shut the process down and start it again. */
  readonly onFatal: (error: Error) => void;
  readonly metrics?: ConsumerMetrics | undefined;
  /** Lets the event loop run while states are read; one of all replicas by default. */
  readonly work?: LongWork;
}

type Reader = Pick<Replica<never>, 'apply' | 'isComplete'>;

interface ReplicatedTopic {
  readonly topic: NamedTopic;
  readonly readers: Reader[];
  /** The next offset to read. Nothing is committed, because every start reads from the beginning. */
  position: number;
  /** How many batches the consumer has begun to read. */
  batches: number;
}

const STOP_TIMEOUT_MS = 10_000;

/** A `LongWork` of its own, so that replicas do not wait for reads of callers. */
const replicaWork = new LongWork();

/**
 * All replicas of one process, fed by one consumer. They are ready once they hold everything that was written before the start.
 */
export class TopicReplicas {
  readonly #options: TopicReplicasOptions;
  readonly #topics = new Map<string, ReplicatedTopic>();
  #consumer: Consumer | undefined;
  #stopping = false;
  #onProgress: () => void = () => undefined;

  constructor(options: TopicReplicasOptions) {
    this.#options = options;
  }

  /**
   * Adds a topic before the start. Its view is empty until then.
   *
   * @throws Error after the start.
   */
  add<T>(
    topic: TopicDefinition<StateMessage<T>>,
    options: { readonly indexes?: Indexes<T>; readonly lookUp?: MissLookUp } = {},
  ): Replica<T> {
    const { logger, lookUp, metrics } = this.#options;
    const replica = new Replica({
      topic,
      indexes: options.indexes ?? {},
      lookUp: options.lookUp ?? lookUp,
      logger,
      metrics,
    });
    return this.#addReader(topic, replica);
  }

  /**
   * Adds a topic of which only the versions are needed. To be called before the start; after the start the versions are complete.
   *
   * @throws Error after the start.
   */
  addVersions(topic: NamedTopic): StateVersions {
    return this.#addReader(topic, new StateVersions());
  }

  #addReader<R extends Reader>(topic: NamedTopic, reader: R): R {
    if (this.#consumer !== undefined) throw new Error('The replicas have been started.');
    const name = this.#options.kafka.wireName(topic);
    const member = this.#topics.get(name) ?? { topic, readers: [], position: 0, batches: 0 };
    member.readers.push(reader);
    this.#topics.set(name, member);
    return reader;
  }

  /**
   * Resolves when every replica holds all that its topic held at the call. Waits for brokers without a limit, and while the
   * newest state of an entity has a schema version that this release does not know. A replica that has started keeps the older
   * state.
   */
  async start(): Promise<void> {
    if (this.#topics.size === 0) return;
    const { kafka, logger, onFatal } = this.#options;
    // A group of its own, so that this process reads every partition.
    const isWanted = (): boolean => !this.#stopping;
    const groupId = `${kafka.clientId}-replica-${randomUUID()}`;
    const consumer = kafka.consumer({ groupId, isSoleMember: true, isWanted });
    this.#consumer = consumer;
    consumer.on(consumer.events.GROUP_JOIN, (event) => {
      this.#seekToPositions(consumer, event);
    });
    await consumer.connect();
    await subscribe(consumer, [...this.#topics.keys()], { logger, isWanted });
    if (this.#stopping) return;
    const config: ConsumerRunConfig = {
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (payload) => this.#eachBatch(payload),
    };
    await runConsumer(consumer, config, { logger, onFatal, isWanted });
    await this.#waitUntilCaughtUp();
  }

  /** Stops the consumer within 10 s of real time. The replicas keep what they hold. Never throws. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#onProgress();
    if (this.#consumer === undefined) return;
    await withKafkaTimeout(STOP_TIMEOUT_MS, this.#consumer.disconnect()).catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'The replicas did not leave their group in order.');
    });
  }

  /**
   * The backlog of all topics together. A caller that asks many replicas may give `readBounds`, which reads each topic once.
   *
   * @throws UnavailableError when no broker answers.
   */
  async pending(readBounds?: ReadBounds): Promise<number> {
    try {
      const counts = [...this.#topics.values()].map(
        async ({ topic }) => [topic.name, await this.#bounds(topic, readBounds)] as const,
      );
      const ends = new Map(await Promise.all(counts));
      // The positions are read after the ends, so that messages in between do not count.
      return [...this.#topics.values()].reduce((sum, { topic, position }) => {
        const log = ends.get(topic.name);
        return sum + (log === undefined ? 0 : backlogOf(log, position));
      }, 0);
    } catch (error) {
      throw new UnavailableError('Kafka does not answer.', { cause: error });
    }
  }

  async #waitUntilCaughtUp(): Promise<void> {
    const topics = [...this.#topics.values()];
    const logs = await this.#logs(topics);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#onProgress = () => {
      // A log whose records were all removed never returns records.
      const holds = ({ position, readers }: ReplicatedTopic, index: number): boolean =>
        Math.max(position, logs[index]?.start ?? 0) >= (logs[index]?.end ?? 0) &&
        readers.every(({ isComplete }) => isComplete);
      if (this.#stopping || topics.every(holds)) resolve(undefined);
    };
    this.#onProgress();
    await promise;
    this.#onProgress = () => undefined;
  }

  async #logs(topics: readonly ReplicatedTopic[]): Promise<readonly LogBounds[]> {
    const logs = await retry(() => Promise.all(topics.map(({ topic }) => this.#bounds(topic))), {
      isWanted: () => !this.#stopping,
      onFailure: (error, attempt) => {
        this.#options.logger.warn({ err: error, attempt }, 'The ends of the topics cannot be read yet.');
      },
    });
    return logs ?? [];
  }

  async #bounds(
    topic: NamedTopic,
    readBounds: ReadBounds = (read) => logBounds(this.#options.kafka, read),
  ): Promise<LogBounds> {
    return (await readBounds(topic)).get(0) ?? { start: 0, end: 0 };
  }

  /** After each join the client would begin at offset 0 again. */
  #seekToPositions(consumer: Consumer, { payload }: ConsumerGroupJoinEvent): void {
    for (const topic of Object.keys(payload.memberAssignment)) {
      const position = this.#topics.get(topic)?.position ?? 0;
      consumer.seek({ topic, partition: 0, offset: String(position) });
    }
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const member = this.#topics.get(batch.topic);
    if (member === undefined || payload.isStale()) return;
    const first = Number(batch.messages[0]?.offset ?? 0);
    if (first < member.position)
      this.#options.logger.warn(
        { topic: member.topic.name, first },
        'The topic was recreated or truncated; the replicas keep their states.',
      );
    if (!(await this.#read(member, payload))) return;
    this.#moveTo(member, batch);
    payload.resolveOffset(batch.lastOffset());
  }

  /** Resolves with false where the consumer joined its group again meanwhile: it fetches the batch once more. */
  async #read(member: ReplicatedTopic, payload: EachBatchPayload): Promise<boolean> {
    const { work = replicaWork } = this.#options;
    const number = (member.batches += 1);
    for (const message of payload.batch.messages) {
      if (work.isPauseDue()) await work.pause();
      if (member.batches !== number || payload.isStale()) return false;
      const record = toFetchedRecord(message);
      for (const reader of member.readers) reader.apply(record);
    }
    return true;
  }

  #moveTo(member: ReplicatedTopic, batch: Batch): void {
    member.position = Number(batch.lastOffset()) + 1;
    const backlog = Math.max(0, Number(batch.highWatermark) - member.position);
    this.#options.metrics?.consumerBacklog(member.topic.name, 0, { records: backlog });
    this.#onProgress();
  }
}

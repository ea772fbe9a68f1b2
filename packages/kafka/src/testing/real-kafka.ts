import { randomUUID } from 'node:crypto';
import { systemClock } from '@tocsin/core';
import {
  ALL_TOPICS,
  type Checkpoint,
  type CheckpointStore,
  type ConsumedBatch,
  type ConsumedRecord,
  DeadLetters,
  defineTopic,
  type BatchResult,
  type TopicDefinition,
  type NamedTopic,
  type TopicKind,
} from '@tocsin/events';
import { readTopic } from '@tocsin/testkit';
import { z } from 'zod';
import type { Backlog, ConsumerMetrics } from '../ports.ts';
import {
  BatchConsumer,
  type BatchConsumerOptions,
  type BatchProcessor,
  BatchingPublisher,
  type BatchingPublisherOptions,
  ensureTopics,
  KafkaConnection,
  type KafkaSecurity,
  subscription,
} from '../index.ts';

/** The message of the integration tests of this package. */
export interface Note {
  readonly id: string;
  readonly key: string;
  readonly text?: string | undefined;
}

const NoteSchema = z.object({ id: z.string(), key: z.string(), text: z.string().optional() });

export function noteTopic(name: string, kind: TopicKind = 'events'): TopicDefinition<Note> {
  return defineTopic({ name, kind, schema: NoteSchema, key: (note) => note.key });
}

export const anyTopic = (topic: unknown): TopicDefinition<never> => topic as TopicDefinition<never>;

export const notes = (count: number, tag = 'n', keys = 40): readonly Note[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${tag}${index}`, key: `k${index % keys}` }));

/** Keeps every line, so that a test can read it. */
export class RecordingLogger {
  readonly lines: { readonly level: string; readonly message: string; readonly fields: object }[] = [];
  debug = this.#write('debug');
  info = this.#write('info');
  warn = this.#write('warn');
  error = this.#write('error');

  errors(): readonly string[] {
    return this.lines.filter(({ level }) => level === 'error').map(({ message }) => message);
  }

  #write(level: string): (fields: object, message: string) => void {
    return (fields, message) => {
      this.lines.push({ level, message, fields });
    };
  }
}

/** Of a topic of notes, unless a test asks for another number. */
export const PARTITIONS = 3;

/** The part of a cluster that one test uses: topics and groups of its own, everything stopped at its end. */
export class TestCluster {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly security: KafkaSecurity | undefined;
  readonly logger = new RecordingLogger();
  readonly fatal: Error[] = [];
  readonly kafka: KafkaConnection;
  readonly #ends: (() => Promise<unknown>)[] = [];

  constructor(brokers: readonly string[], prefix = `t${randomUUID().slice(0, 8)}.`, security?: KafkaSecurity) {
    this.brokers = brokers;
    this.prefix = prefix;
    this.security = security;
    this.kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix: prefix, logger: this.logger, security });
    this.atEnd(() => this.kafka.stop());
  }

  atEnd(end: () => Promise<unknown>): void {
    this.#ends.unshift(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  async topics(topics: readonly NamedTopic[], partitions = PARTITIONS, replication = 1): Promise<void> {
    const wanted = [...topics.map(anyTopic), anyTopic(DeadLetters)];
    await ensureTopics({ ...this.#cluster(), topics: wanted, partitions, replication });
  }

  async everyTopic(): Promise<void> {
    await ensureTopics({ ...this.#cluster(), topics: ALL_TOPICS, partitions: 2 });
  }

  async publisher(options: Partial<BatchingPublisherOptions> = {}): Promise<BatchingPublisher> {
    const publisher = new BatchingPublisher({ kafka: this.kafka, logger: this.logger, topics: [], ...options });
    this.atEnd(() => publisher.stop(500));
    await publisher.start();
    return publisher;
  }

  consumer(
    publisher: BatchingPublisher,
    topic: TopicDefinition<Note>,
    handler: BatchProcessor<Note>,
    options: Partial<BatchConsumerOptions> = {},
  ): BatchConsumer {
    const consumer = new BatchConsumer({
      kafka: this.kafka,
      groupId: `${this.prefix}group`,
      subscriptions: [subscription(topic, handler)],
      publisher,
      clock: systemClock,
      logger: this.logger,
      onFatal: (error) => this.fatal.push(error),
      sessionTimeoutMs: 6_000,
      ...options,
    });
    this.atEnd(() => consumer.stop());
    return consumer;
  }

  #cluster() {
    return { brokers: this.brokers, prefix: this.prefix, security: this.security };
  }

  /** Everything on the topic, by partition and offset. */
  async readAll(topic: TopicDefinition<Note>): Promise<readonly { partition: number; note: Note }[]> {
    const records = await readTopic(this.kafka, topic);
    return records.map(({ partition, value }) => ({ partition, note: JSON.parse(String(value)) as Note }));
  }
}

/** Effects and checkpoints are one step, as in a transaction; a test may break it. It refuses several batches together. */
export class StoringProcessor implements BatchProcessor<Note>, CheckpointStore {
  /** How often each note had its effect. */
  readonly effects = new Map<string, number>();
  readonly deadLetters: { readonly offset: number; readonly reason: string }[] = [];
  readonly checkpoints = new Map<string, Checkpoint>();
  /** Sizes of the batches that were processed. */
  readonly sizes: number[] = [];
  /** Called with each batch. Its result replaces processing; undefined: the batch is processed. */
  before: (batch: ConsumedBatch<Note>) => Promise<BatchResult | undefined> = () => Promise.resolve(undefined);

  async process([batch, ...others]: readonly ConsumedBatch<Note>[]): Promise<BatchResult> {
    if (batch === undefined || others.length > 0) return { outcome: 'refused', reason: 'each alone' };
    const instead = await this.before(batch);
    if (instead !== undefined) return instead;
    const at = this.checkpoints.get(`${batch.topic}/${batch.partition}`)?.offset;
    if (at !== undefined && isGap(batch, at)) return { outcome: 'seek', offset: at };
    this.sizes.push(batch.records.length);
    for (const record of batch.records.filter(({ offset }) => offset >= (at ?? 0))) {
      this.effects.set(record.value.id, (this.effects.get(record.value.id) ?? 0) + 1);
      this.#moveTo(batch, record);
    }
    return { outcome: 'done' };
  }

  deadLetter(
    record: ConsumedRecord<Note | undefined> & { topic: string; partition: number; clusterId: string },
    reason: string,
  ): Promise<BatchResult> {
    this.deadLetters.push({ offset: record.offset, reason });
    this.#moveTo(record, record);
    return Promise.resolve({ outcome: 'done' });
  }

  read(topic: string, partitions: readonly number[]): Promise<readonly Checkpoint[]> {
    const found = partitions.map((partition) => this.checkpoints.get(`${topic}/${partition}`));
    return Promise.resolve(found.filter((checkpoint) => checkpoint !== undefined));
  }

  forget(checkpoint: Checkpoint): Promise<void> {
    const name = `${checkpoint.topic}/${checkpoint.partition}`;
    if (this.checkpoints.get(name)?.offset === checkpoint.offset) this.checkpoints.delete(name);
    return Promise.resolve();
  }

  goBack(checkpoint: Checkpoint, offset: number): Promise<void> {
    const name = `${checkpoint.topic}/${checkpoint.partition}`;
    if (this.checkpoints.get(name)?.offset === checkpoint.offset) this.checkpoints.set(name, { ...checkpoint, offset });
    return Promise.resolve();
  }

  /** Notes that had their effect not exactly once. */
  wrong(expected: readonly Note[]): readonly string[] {
    return expected.filter(({ id }) => this.effects.get(id) !== 1).map(({ id }) => id);
  }

  #moveTo(
    { topic, partition, clusterId }: { topic: string; partition: number; clusterId: string },
    { offset, key, timestampMs }: ConsumedRecord<unknown>,
  ): void {
    this.checkpoints.set(`${topic}/${partition}`, {
      topic,
      partition,
      clusterId,
      offset: offset + 1,
      lastKey: key,
      lastTimestampMs: timestampMs,
    });
  }
}

function isGap({ records: [first], lostBefore = 0 }: ConsumedBatch<Note>, at: number): boolean {
  return first !== undefined && first.offset > at && lostBefore <= at;
}

/** Keeps the newest figure of each partition. */
export class RecordingMetrics implements ConsumerMetrics {
  readonly backlogs = new Map<string, number>();
  deadLetters = 0;
  readonly tooNewOn = new Set<string>();

  consuming(): void {
    // No test reads it.
  }

  consumerBacklog(topic: string, partition: number, { records }: Backlog): void {
    this.backlogs.set(`${topic}/${partition}`, records);
  }

  consumerLeft(topic: string, partition: number): void {
    this.backlogs.delete(`${topic}/${partition}`);
  }

  deadLetter(): void {
    this.deadLetters += 1;
  }

  tooNew(topic: string): void {
    this.tooNewOn.add(topic);
  }
}

import { ALL_TOPICS, type TopicDefinition } from '@tocsin/events';
import { TooLargeError, UnavailableError } from '@tocsin/core';
import { type KafkaConnection, withKafkaTimeout } from './kafka-connection.ts';
import type { MessagingLogger, Publisher, PublisherMetrics, PublishOptions } from './ports.ts';
import { PartitionCounts } from './partition-counts.ts';
import { partitionOf } from './partitioner.ts';
import { ProduceChannel } from './produce-channel.ts';
import type { QueueLimits } from './publish-queue.ts';
import type { SequenceCounter } from './sequence-counter.ts';
import { TopicPublisher } from './topic-publisher.ts';
import { MAX_MESSAGE_BYTES } from './topic-settings.ts';
import { endWith, publishSpans, withoutTrace, type MessageTracer } from './tracing.ts';

/** The dependencies of a publisher, and its bounds. */
export interface BatchingPublisherOptions {
  readonly kafka: KafkaConnection;
  readonly logger: MessagingLogger;
  readonly metrics?: PublisherMetrics;
  /** Without it messages have no trace header. */
  readonly tracer?: MessageTracer | undefined;
  /**
   * Topics whose number of partitions is read at the start, where they exist. That of others is read on first use. Default: all.
   */
  readonly topics?: readonly TopicDefinition<never>[];
  /** Numbers the messages of one topic, which reveals a message that the broker acknowledged and lost. Default: none. */
  readonly numbered?: { readonly topic: { readonly name: string }; readonly counter: SequenceCounter } | undefined;
  /** How long a message waits for others to share its request, milliseconds; 5 by default. */
  readonly lingerMs?: number;
  /** How long a caller waits unless it says otherwise, milliseconds; 5 000 by default. */
  readonly deadlineMs?: number;
  /** Bounds of each topic's queue. A topic that cannot be written fills its own queue only. */
  readonly limits?: Partial<QueueLimits>;
}

const DEFAULT_LIMITS: QueueLimits = {
  messages: 20_000,
  bytes: 64_000_000,
  messagesPerPartition: 500,
  bytesPerPartition: 900_000,
  bytesPerRequest: 8_000_000,
};

/** A `TopicDefinition` without the type of its messages. */
type UntypedTopic = Pick<TopicDefinition<never>, 'name' | 'kind' | 'version'>;

interface EncodedMessage {
  readonly key: string;
  readonly value: Buffer | null;
  readonly bytes: number;
  readonly trace?: string | undefined;
}

/**
 * Publishes the messages of many callers in few requests. A caller's promise resolves once the brokers have all of its messages,
 * and rejects at its deadline whatever the brokers do. Each topic has its own producer with one request in flight, so that a
 * topic that cannot be written delays no other.
 */
export class BatchingPublisher implements Publisher {
  readonly #options: BatchingPublisherOptions;
  readonly #counts: PartitionCounts;
  readonly #topics = new Map<string, TopicPublisher>();
  /** Connected at the start, which waits for the brokers. The first topic uses it. */
  #first: ProduceChannel | undefined;
  #stopped = false;

  constructor(options: BatchingPublisherOptions) {
    this.#options = options;
    this.#counts = new PartitionCounts(options.kafka);
    this.#first = this.#channel();
  }

  /** Resolves when a producer is connected. Waits for the brokers without a limit. */
  async start(): Promise<void> {
    await this.#first?.open();
    const counting = (this.#options.topics ?? ALL_TOPICS).map((topic) => this.#counts.load(topic));
    for (const count of await Promise.allSettled(counting))
      if (count.status === 'rejected')
        this.#options.logger.debug({ err: count.reason as unknown }, 'A topic is missing.');
  }

  async publish<T>(topic: TopicDefinition<T>, messages: readonly T[], options: PublishOptions = {}): Promise<void> {
    const spans = publishSpans(this.#options.tracer, topic.name, messages);
    const items = messages.map((message, index) =>
      encode(topic.key(message), Buffer.from(JSON.stringify(withoutTrace(message))), spans[index]?.context),
    );
    await endWith(spans, this.#enqueue(topic, items, options));
  }

  async erase<T>(topic: TopicDefinition<T>, keys: readonly string[]): Promise<void> {
    const items = keys.map((key) => encode(key, null));
    await this.#enqueue(topic, items, {});
  }

  /** Messages that wait or are being sent, of all topics; 0 when nothing is under way. */
  pending(): number {
    let sum = 0;
    for (const { pending } of this.#topics.values()) sum += pending;
    return sum;
  }

  /**
   * Accepts nothing more, and sends the queued messages for at most `drainMs` of real time. The promises of callers that still
   * wait then reject: their messages may or may not be written. A request still in flight ends with the process.
   */
  async stop(drainMs = 5_000): Promise<void> {
    this.#stopped = true;
    const stopping = [...this.#topics.values()].map((topic) => topic.stop(drainMs));
    await Promise.all([...stopping, this.#first?.close()]);
  }

  async #enqueue(topic: UntypedTopic, items: readonly EncodedMessage[], options: PublishOptions): Promise<void> {
    if (items.length === 0) return;
    const { expires = false, deadlineMs } = options;
    const waitMs = deadlineMs ?? this.#options.deadlineMs ?? 5_000;
    const partitions = this.#counts.known(topic) ?? (await withKafkaTimeout(waitMs, this.#counts.load(topic)));
    if (this.#stopped) throw new UnavailableError('The publisher was stopped.');
    const limit = MAX_MESSAGE_BYTES[topic.kind];
    const sendable = items.filter(({ bytes }) => bytes <= limit);
    const wireName = this.#options.kafka.wireName(topic);
    const messages = sendable.map((item) => ({
      ...item,
      partition: partitionOf(item.key, partitions),
      ...(topic.version !== undefined && item.value !== null && { schemaVersion: topic.version }),
      expires,
    }));
    if (messages.length > 0) await this.#publisherOf(topic, wireName).publish(messages, waitMs);
    if (sendable.length < items.length) throw new TooLargeError('The message is too large.');
  }

  #publisherOf({ name }: { readonly name: string }, wireName: string): TopicPublisher {
    const known = this.#topics.get(wireName);
    if (known !== undefined) return known;
    const { lingerMs = 5, limits, metrics, numbered } = this.#options;
    const isNumbered = numbered?.topic.name === name;
    const first = isNumbered ? undefined : this.#first;
    const publisher = new TopicPublisher({
      topic: wireName,
      channel: first ?? this.#channel(isNumbered ? numbered.counter : undefined),
      limits: { ...DEFAULT_LIMITS, ...limits },
      lingerMs,
      onChange: () => metrics?.publisherQueue(this.pending()),
    });
    if (first !== undefined) this.#first = undefined;
    this.#topics.set(wireName, publisher);
    return publisher;
  }

  #channel(counter?: SequenceCounter): ProduceChannel {
    const { kafka, logger } = this.#options;
    const connect = async () => {
      const producer = kafka.producer();
      try {
        await producer.connect();
        return producer;
      } catch (error) {
        void producer.disconnect().catch(() => undefined);
        throw error;
      }
    };
    return new ProduceChannel({ connect, logger, counter });
  }
}

function encode(key: string, value: Buffer | null, trace?: string): EncodedMessage {
  return { key, value, trace, bytes: Buffer.byteLength(key) + (value?.length ?? 0) };
}

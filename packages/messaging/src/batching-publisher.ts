import { setTimeout as pause } from 'node:timers/promises';
import { ALL_TOPICS, type TopicDefinition } from '@tocsin/contracts';
import { TooLargeError, UnavailableError } from '@tocsin/errors';
import type { KafkaConnection } from './kafka-connection.ts';
import type { MessagingLogger } from './logger.ts';
import type { PublisherMetrics } from './metrics.ts';
import { PartitionCounts } from './partition-counts.ts';
import { partitionOf } from './partitioner.ts';
import type { Publisher } from './ports.ts';
import { ProduceChannel } from './produce-channel.ts';
import { type OutgoingMessage, PublishQueue, type QueueLimits } from './publish-queue.ts';
import { PublishTicket } from './publish-ticket.ts';
import { MAX_MESSAGE_BYTES } from './topics.ts';
import { within } from './within.ts';

/** What a publisher needs, and its bounds. */
export interface BatchingPublisherOptions {
  readonly kafka: KafkaConnection;
  readonly logger: MessagingLogger;
  readonly metrics?: PublisherMetrics;
  /** Topics whose partitions are counted at the start, where they exist; others when they are first needed. Default: all. */
  readonly topics?: readonly TopicDefinition<never>[];
  /** How long a message waits for company, milliseconds; 5 unless given. */
  readonly lingerMs?: number;
  /** How long a caller waits unless it says otherwise, milliseconds; 5 000 unless given. */
  readonly deadlineMs?: number;
  readonly limits?: Partial<QueueLimits>;
}

const DEFAULT_LIMITS: QueueLimits = {
  messages: 20_000,
  bytes: 64_000_000,
  messagesPerPartition: 500,
  bytesPerPartition: 900_000,
  bytesPerRequest: 8_000_000,
};

interface Item {
  readonly key: string;
  readonly value: Buffer | null;
  readonly bytes: number;
}

/**
 * Publishes what many callers bring at once in few requests: a caller's promise resolves only when the brokers have all of
 * its messages, and rejects by its deadline whatever the brokers do. One request is under way at a time.
 */
export class BatchingPublisher implements Publisher {
  readonly #options: BatchingPublisherOptions;
  readonly #queue: PublishQueue;
  readonly #counts: PartitionCounts;
  readonly #channel: ProduceChannel;
  readonly #tickets = new Set<PublishTicket>();
  #inFlight = 0;
  #linger: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #stopped = false;

  constructor(options: BatchingPublisherOptions) {
    const { kafka, logger, limits } = options;
    this.#options = options;
    this.#queue = new PublishQueue({ ...DEFAULT_LIMITS, ...limits });
    this.#counts = new PartitionCounts(kafka);
    const connect = async () => {
      const producer = kafka.producer();
      await producer.connect();
      return producer;
    };
    this.#channel = new ProduceChannel({ connect, logger });
  }

  /** Resolves when the brokers know this producer; waits for them as long as it takes. */
  async start(): Promise<void> {
    await this.#channel.open();
    const counting = (this.#options.topics ?? ALL_TOPICS).map((topic) => this.#counts.load(topic));
    for (const count of await Promise.allSettled(counting))
      if (count.status === 'rejected')
        this.#options.logger.debug({ err: count.reason as unknown }, 'A topic is missing.');
  }

  async publish<T>(
    topic: TopicDefinition<T>,
    messages: readonly T[],
    options: { deadlineMs?: number } = {},
  ): Promise<void> {
    const items = messages.map((message) => toItem(topic.key(message), Buffer.from(JSON.stringify(message))));
    await this.#enqueue(topic as unknown as TopicDefinition<never>, items, options.deadlineMs);
  }

  async erase(topic: TopicDefinition<never>, keys: readonly string[]): Promise<void> {
    const items = keys.map((key) => toItem(key, null));
    await this.#enqueue(topic, items, undefined);
  }

  /** @throws UnavailableError until Kafka has told how many partitions the topic has, which is asked then. */
  partitionFor(topic: TopicDefinition<never>, key: string): number {
    const partitions = this.#counts.known(topic);
    if (partitions === undefined) {
      void this.#counts.load(topic).catch(() => undefined);
      throw new UnavailableError('Kafka has not named the partitions of the topic yet.');
    }
    return partitionOf(key, partitions);
  }

  /** Messages that wait or are being sent; 0 when nothing is under way. */
  pending(): number {
    return this.#queue.length + this.#inFlight;
  }

  /**
   * Takes nothing more, sends what waits for at most `drainMs` of real time, then tells every caller left that its messages
   * may not have been taken. A request that is still pending then ends only with the process.
   */
  async stop(drainMs = 5_000): Promise<void> {
    this.#stopped = true;
    this.#send();
    await Promise.race([this.#sending, pause(drainMs, undefined, { ref: false })]);
    for (const ticket of this.#tickets) ticket.fail(new UnavailableError('The publisher was stopped.'));
    if (this.#sending === undefined) await this.#channel.close();
    else void this.#sending.then(() => this.#channel.close());
  }

  async #enqueue(topic: TopicDefinition<never>, items: readonly Item[], deadlineMs?: number): Promise<void> {
    if (items.length === 0) return;
    if (this.#stopped) throw new UnavailableError('The publisher was stopped.');
    const patienceMs = deadlineMs ?? this.#options.deadlineMs ?? 5_000;
    const partitions = this.#counts.known(topic) ?? (await within(patienceMs, this.#counts.load(topic)));
    const limit = MAX_MESSAGE_BYTES[topic.kind];
    const sendable = items.filter(({ bytes }) => bytes <= limit);
    if (sendable.length > 0) await this.#addAndWait(topic, sendable, partitions, patienceMs);
    if (sendable.length < items.length) throw new TooLargeError('The message is too large.');
  }

  async #addAndWait(
    topic: TopicDefinition<never>,
    items: readonly Item[],
    partitions: number,
    deadlineMs: number,
  ): Promise<void> {
    const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
    if (!this.#queue.fits(items.length, bytes)) throw new UnavailableError('Too many messages wait for Kafka.');
    const ticket = new PublishTicket(items.length, deadlineMs);
    const wireName = this.#options.kafka.wireName(topic);
    this.#queue.add(
      items.map((item): OutgoingMessage => ({
        ...item,
        topic: wireName,
        partition: partitionOf(item.key, partitions),
        ...(topic.version !== undefined && item.value !== null && { version: topic.version }),
        ticket,
      })),
      ticket,
    );
    this.#tickets.add(ticket);
    this.#measure();
    if (this.#queue.full) this.#send();
    else
      this.#linger ??= setTimeout(() => {
        this.#send();
      }, this.#options.lingerMs ?? 5);
    try {
      await ticket.settled;
    } finally {
      this.#tickets.delete(ticket);
      this.#measure();
    }
  }

  /** Sends until nothing waits; while it does, whatever comes travels with the next request. */
  #send(): void {
    if (this.#sending !== undefined) return;
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#sending = this.#drain().finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.#send();
    });
  }

  async #drain(): Promise<void> {
    for (let request = this.#queue.take(); request.length > 0; request = this.#queue.take()) {
      this.#inFlight = request.length;
      await this.#channel.deliver(request);
      this.#inFlight = 0;
      this.#measure();
    }
    clearTimeout(this.#linger);
    this.#linger = undefined;
  }

  #measure(): void {
    this.#options.metrics?.publisherQueue(this.pending());
  }
}

function toItem(key: string, value: Buffer | null): Item {
  return { key, value, bytes: Buffer.byteLength(key) + (value?.length ?? 0) };
}

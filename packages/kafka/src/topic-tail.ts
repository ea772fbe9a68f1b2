import { randomUUID } from 'node:crypto';
import { UnavailableError } from '@tocsin/core';
import type { NamedTopic } from '@tocsin/events';
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { type KafkaConnection, withKafkaTimeout } from './kafka-connection.ts';
import { logBounds } from './log-bounds.ts';
import type { MessagingLogger } from './ports.ts';
import { runConsumer } from './run-consumer.ts';
import { subscribe } from './subscribe.ts';

export interface TopicTailOptions {
  readonly kafka: KafkaConnection;
  readonly topic: NamedTopic;
  /** Called with the key and the value of each record; a repeat is possible. */
  readonly onRecord: (key: string, value: Buffer) => void;
  readonly logger: MessagingLogger;
  /** Called when the consumer cannot recover by itself. From then on `follow` throws. */
  readonly onFatal: (error: Error) => void;
}

const STOP_TIMEOUT_MS = 10_000;
/** How long a caller of `follow` waits, real time. */
const FOLLOW_TIMEOUT_MS = 2_000;

/**
 * The end of a topic: while it is followed, each process reads what is appended to any partition. It commits nothing, and while it is not
 * followed it fetches nothing.
 */
export class TopicTail {
  readonly #options: TopicTailOptions;
  readonly #started = Promise.withResolvers<undefined>();
  /** The next offset of each partition; empty while the topic is not followed. */
  #positions = new Map<number, number>();
  #consumer: Consumer | undefined;
  #following: Promise<void> | undefined;
  /** How often `unfollow` was called. A `follow` that began before the last one sets no position. */
  #unfollows = 0;
  #hasFailed = false;
  #stopping = false;

  constructor(options: TopicTailOptions) {
    this.#options = options;
  }

  /** Joins a group of its own, and waits for brokers without a limit. */
  async start(): Promise<void> {
    try {
      await this.#join();
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #join(): Promise<void> {
    const { kafka, logger, topic } = this.#options;
    const isWanted = (): boolean => !this.#stopping;
    const groupId = `${kafka.clientId}-tail-${randomUUID()}`;
    const consumer = kafka.consumer({ groupId, isSoleMember: true, isWanted });
    this.#consumer = consumer;
    consumer.on(consumer.events.GROUP_JOIN, () => {
      this.#seekOrPause(consumer);
    });
    await consumer.connect();
    await subscribe(consumer, [kafka.wireName(topic)], { logger, isWanted });
    if (this.#stopping) return;
    const config = {
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (payload: EachBatchPayload) => this.#eachBatch(consumer, payload),
    };
    const onFatal = (error: Error): void => {
      this.#hasFailed = true;
      this.#options.onFatal(error);
    };
    await runConsumer(consumer, config, { logger, onFatal, isWanted });
    this.#started.resolve(undefined);
  }

  /**
   * Resolves when every record that is appended from now on will be read. Does nothing where the topic is followed already.
   *
   * @throws UnavailableError when Kafka does not answer within 2 s, and at once where the consumer cannot recover.
   */
  async follow(): Promise<void> {
    if (this.#hasFailed) throw new UnavailableError('Kafka cannot be read.');
    this.#following ??= this.#followFromEnd();
    const following = this.#following;
    try {
      await withKafkaTimeout(FOLLOW_TIMEOUT_MS, following);
    } catch (error) {
      if (this.#following === following) this.unfollow();
      throw new UnavailableError('Kafka does not answer.', { cause: error });
    }
  }

  /** Fetches nothing more until the next `follow`. */
  unfollow(): void {
    this.#unfollows += 1;
    this.#following = undefined;
    this.#positions = new Map();
    if (this.#consumer !== undefined) this.#seekOrPause(this.#consumer);
  }

  /** Stops the consumer within 10 s of real time. Never throws. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#consumer === undefined) return;
    await withKafkaTimeout(STOP_TIMEOUT_MS, this.#consumer.disconnect()).catch((error: unknown) => {
      const { logger, topic } = this.#options;
      logger.warn(
        { err: error, topic: topic.name },
        'The reader of the end of a topic did not leave its group in order.',
      );
    });
  }

  async #followFromEnd(): Promise<void> {
    const { kafka, topic } = this.#options;
    const unfollows = this.#unfollows;
    await this.#started.promise;
    const bounds = await logBounds(kafka, topic);
    // After a `unfollow` another `follow` may have read on already.
    if (this.#unfollows !== unfollows || this.#consumer === undefined) return;
    this.#positions = new Map([...bounds].map(([partition, { end }]) => [partition, end]));
    this.#seekOrPause(this.#consumer);
  }

  /** Continues each partition at its position, or reads none. Also after each join, when the client would begin at offset 0. */
  #seekOrPause(consumer: Consumer): void {
    const topic = this.#options.kafka.wireName(this.#options.topic);
    try {
      if (this.#positions.size === 0) {
        consumer.pause([{ topic }]);
        return;
      }
      for (const [partition, offset] of this.#positions) consumer.seek({ topic, partition, offset: String(offset) });
      consumer.resume([{ topic }]);
    } catch (error) {
      // The consumer has no group while it joins one again; it seeks after that.
      this.#options.logger.debug({ err: error, topic }, 'The reader of the end of a topic is in no group now.');
    }
  }

  async #eachBatch(consumer: Consumer, payload: EachBatchPayload): Promise<void> {
    const { highWatermark, partition } = payload.batch;
    if (Number(highWatermark) < (this.#positions.get(partition) ?? 0) && (await this.#hasGoneBack(consumer, partition)))
      return;
    this.#read(payload);
  }

  /**
   * Whether the log of a partition ends below its position, as after an unclean election. Then it is read from its end. Else the batch was
   * fetched before the position was set.
   */
  async #hasGoneBack(consumer: Consumer, partition: number): Promise<boolean> {
    const { kafka, logger, topic } = this.#options;
    const unfollows = this.#unfollows;
    const bounds = await logBounds(kafka, topic).catch(() => undefined);
    const [end, position] = [bounds?.get(partition)?.end, this.#positions.get(partition)];
    if (this.#unfollows !== unfollows || end === undefined || position === undefined || end >= position) return false;
    logger.warn({ topic: topic.name, partition, position, end }, 'The log was truncated; its end is followed anew.');
    this.#positions.set(partition, end);
    this.#seekOrPause(consumer);
    return true;
  }

  #read(payload: EachBatchPayload): void {
    const { batch } = payload;
    const position = this.#positions.get(batch.partition);
    // It was fetched before the pause.
    if (position === undefined) return;
    for (const message of batch.messages) if (Number(message.offset) >= position) this.#callListener(message);
    this.#positions.set(batch.partition, Math.max(position, Number(batch.lastOffset()) + 1));
    payload.resolveOffset(batch.lastOffset());
  }

  #callListener({ key, value }: KafkaMessage): void {
    if (key !== null && value !== null) this.#options.onRecord(key.toString(), value);
  }
}

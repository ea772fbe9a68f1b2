import type { BuriedRecord, ConsumedBatch, Settlement, StateMessage, TopicDefinition } from '@tocsin/contracts';

export interface PublishOptions {
  /** Real time. */
  readonly deadlineMs?: number;
  /**
   * Consumers see a message that was appended more than a minute after the deadline as `late`: its caller was told of an error
   * long before. Only for messages that are never sent again under the same id.
   */
  readonly expires?: boolean;
}

/** Publishes messages at least once: consumers tolerate repeats. */
export interface Publisher {
  /**
   * Resolves when the broker has all of `messages` (`acks=all`), in their order for equal keys.
   *
   * @throws UnavailableError when the queue is full or `deadlineMs` (real time) passes first; the messages may still be
   *   appended, and then fold.
   * @throws TooLargeError when one message alone is over the broker's limit; the others are on the topic.
   */
  publish<T>(topic: TopicDefinition<T>, messages: readonly T[], options?: PublishOptions): Promise<void>;
  /**
   * Writes an empty record for each of `keys`, by which Kafka forgets the key. Resolves when the broker has them all.
   *
   * @throws UnavailableError as `publish` does.
   */
  erase?(topic: TopicDefinition<never>, keys: readonly string[]): Promise<void>;
}

/**
 * How a service settles the records of one topic.
 *
 * What these throw counts as `refused` when it is a defect (`isDefect`) or an error of ours that is not retryable, and as
 * `retry` otherwise. Records that `settle` refuses are halved until the one that fails is alone, and that one is buried. A
 * `bury` that is refused is tried again.
 */
export interface BatchHandler<T> {
  settle(batch: ConsumedBatch<T>): Promise<Settlement>;
  /**
   * Called with a record that fails for ever, after its dead letter is published and before the position moves. Called again
   * until it answers `done`. In one transaction it writes the failure where people look for it, such as the log of the alert, and
   * moves the checkpoint past the record. `value` is undefined where the bytes are not a value of the topic.
   */
  bury(record: BuriedRecord<T | undefined>, reason: string): Promise<Settlement>;
}

/** The latest state of every entity of one compacted topic, held in memory. */
export interface ReplicaView<T> {
  get(id: string): T | undefined;
  /** By a secondary key, such as a name; exact comparison. */
  find(index: string, value: string): T | undefined;
  all(): IterableIterator<T>;
  /**
   * As `get` and `find`, but asks the owner for what is not held. Misses are cached for 2 s. Where the
   * topic said that the entity of an id is deleted, the owner is not asked.
   *
   * @throws UnavailableError when the owner cannot be asked.
   */
  fetch(index: 'id' | (string & {}), value: string): Promise<T | undefined>;
  /** Calls `listener` with the id of each entity that changed or went. Returns the function that ends it. */
  whenChanged(listener: (id: string) => void): () => void;
}

/** Asks the service that owns a topic's entities for one that a replica lacks. */
export type MissLookUp = <T>(
  topic: TopicDefinition<StateMessage<T>>,
  index: string,
  value: string,
) => Promise<StateMessage<T> | undefined>;

/** The part of a logger that this package writes to; a pino logger is one. */
export interface MessagingLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the publisher measures. */
export interface PublisherMetrics {
  /** Messages that wait or are being sent. */
  publisherQueue(messages: number): void;
}

/** The lag of one partition, as far as it is known. */
export interface Backlog {
  /** Records that are not settled. */
  readonly records: number;
  /** Timestamp of the oldest of them in milliseconds, or somewhat before; undefined where there are none. */
  readonly oldestMs?: number | undefined;
}

/** What a consumer measures; topics without the installation's prefix. */
export interface ConsumerMetrics {
  /** This process consumes the topic: its counters begin at 0. */
  consuming(topic: string): void;
  /** Called before records are tried as well, so that a partition that makes no progress shows. */
  consumerBacklog(topic: string, partition: number, backlog: Backlog): void;
  /** The partition went to another process, which reports it from now on. */
  consumerLeft(topic: string, partition: number): void;
  deadLetter(topic: string): void;
  /** A record has a newer schema version than this process knows. Counted at each try. */
  tooNew(topic: string): void;
}

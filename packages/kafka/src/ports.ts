import type { BatchResult, ConsumedBatch, FailedRecord, StateMessage, TopicDefinition, Version } from '@tocsin/events';

export interface PublishOptions {
  /** How long the caller waits, real time. */
  readonly deadlineMs?: number;
  /**
   * Consumers see a message as `late` when it was appended more than a minute after the deadline: the caller had an error long
   * before. Only for messages that are never sent again with the same id.
   */
  readonly expires?: boolean;
}

/** Publishes messages at least once: consumers have to tolerate repeats. */
export interface Publisher {
  /**
   * Resolves when the broker has all of `messages` (`acks=all`), in their order for equal keys.
   *
   * @throws UnavailableError when the queue is full or `deadlineMs` passes first; the messages may still be appended later.
   * @throws TooLargeError when one message is over the broker's limit; the others are on the topic.
   */
  publish<T>(topic: TopicDefinition<T>, messages: readonly T[], options?: PublishOptions): Promise<void>;
  /**
   * Writes a null value for each of `keys`, so that compaction removes the key. Resolves when the broker has them all.
   *
   * @throws UnavailableError as `publish` does.
   */
  erase<T>(topic: TopicDefinition<T>, keys: readonly string[]): Promise<void>;
}

/**
 * Processes the records of one topic; {@link Stages} make one.
 *
 * A thrown defect (`isDefect`), or an `AppError` that is not retryable, counts as `refused`; any other error as `retry`. A batch
 * that is refused alone is halved until the record that fails is alone, and that record becomes a dead letter.
 */
export interface BatchProcessor<T> {
  /** Processes all of `batches`, each of another partition, or none. Where it refuses several, it is called with each alone. */
  process(batches: readonly ConsumedBatch<T>[]): Promise<BatchResult>;
  /**
   * Called with a record that fails for ever, after its dead letter is published, and again until the result is `done`. In one
   * transaction it records the failure where users look for it, such as the log of the alert, and moves the checkpoint past the
   * record. `value` is undefined where the bytes are not a value of the topic.
   */
  deadLetter(record: FailedRecord<T | undefined>, reason: string): Promise<BatchResult>;
}

/** The latest state of every entity of one compacted topic, held in memory. */
export interface ReplicaView<T> {
  get(id: string): T | undefined;
  /** Whether the entity is known to be deleted, which lasts a day at least. False for an unknown id. */
  isDeleted(id: string): boolean;
  /** By a secondary key, such as a name; exact comparison. */
  find(index: string, value: string): T | undefined;
  all(): IterableIterator<T>;
  /**
   * As `get` and `find`, but asks the owner for an entity that the replica lacks, in one request for all concurrent calls. The
   * owner's "no" is cached for 2 s. An id that is known to be deleted is not asked for.
   *
   * @throws UnavailableError when the owner does not answer.
   */
  fetch(index: 'id' | (string & {}), value: string): Promise<T | undefined>;
  /** Calls `listener` with each entity that is changed or deleted. Returns a function that removes the listener. */
  whenChanged(listener: ChangeListener): () => void;
}

/** Takes the id of an entity with its new version; undefined where the topic has no version of it any more. */
export type ChangeListener = (id: string, version: Version | undefined) => void;

/** Asks the service that owns a topic for entities that a replica lacks; answers with those that exist, in any order. */
export type MissLookUp = <T>(
  topic: TopicDefinition<StateMessage<T>>,
  index: string,
  values: readonly string[],
) => Promise<readonly StateMessage<T>[]>;

/** The part of a logger that this package writes to; a pino logger is one. */
export interface MessagingLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Metrics of the publisher. */
export interface PublisherMetrics {
  /** Messages that wait or are being sent. */
  publisherQueue(messages: number): void;
}

/** The backlog of one partition, as far as it is known. */
export interface Backlog {
  /** Records that are not processed. */
  readonly records: number;
  /** Timestamp of the oldest of them in milliseconds, or somewhat before; undefined where there are none. */
  readonly oldestMs?: number | undefined;
}

/** Metrics of a consumer. Topics have no prefix. */
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

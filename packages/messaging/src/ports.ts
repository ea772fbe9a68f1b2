import type { BuriedRecord, ConsumedBatch, Settlement, StateMessage, TopicDefinition } from '@tocsin/contracts';

export interface PublishOptions {
  /** Real time. */
  readonly deadlineMs?: number;
  /**
   * A message that is appended over a minute after the deadline, when its caller has long been told that it was not taken, is
   * `late` to its consumers. For messages that nobody sends again under the same id.
   */
  readonly expires?: boolean;
}

/** Publishes messages. At-least-once: whoever consumes tolerates a repeat. */
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
   * Writes null for each of `keys`, so that compaction forgets them. Resolves when the broker has them all.
   *
   * @throws UnavailableError as `publish` does.
   */
  erase?(topic: TopicDefinition<never>, keys: readonly string[]): Promise<void>;
  /** The partition that `key` belongs to. */
  partitionFor(topic: { readonly name: string }, key: string): number;
}

/**
 * How a service settles the records of one topic.
 *
 * What these throw is judged by the consumer: a defect (`isDefect`) or a refusal of ours that is not retryable is `refused`,
 * as if it had been answered, so it is halved out and buried; everything else is `retry`.
 */
export interface BatchHandler<T> {
  settle(batch: ConsumedBatch<T>): Promise<Settlement>;
  /**
   * Whether a value can have any effect here. Where a whole batch has none, `settle` is not called for it, and a later
   * batch says from where on it covers the partition; without this, every value may.
   */
  concerns?(value: T): boolean;
  /**
   * Told of one record that fails for ever, and why, after its dead letter is published and before the position moves; at
   * least once, and again until it answers `done`. Writes down what failed where people look for it, such as the log of the
   * alert, and moves the checkpoint past the record, in one transaction. `value` is undefined where the bytes are not a value
   * of the topic. Whatever fails here is tried again: what it writes must not depend on what cannot be read.
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
   * As `get` and `find`; what is not held is asked of its owner once (misses are remembered for 2 s), but not by the id of
   * what is known to be gone.
   *
   * @throws UnavailableError when the owner cannot be asked.
   */
  fetch(index: 'id' | (string & {}), value: string): Promise<T | undefined>;
  /** Calls `listener` with the id of each entity that changed or went. Returns the function that ends it. */
  whenChanged(listener: (id: string) => void): () => void;
}

/** Asks the owner of a topic's entities for one that a replica lacks. */
export type MissLookUp = <T>(
  topic: TopicDefinition<StateMessage<T>>,
  index: string,
  value: string,
) => Promise<StateMessage<T> | undefined>;

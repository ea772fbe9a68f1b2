import type { TopicDefinition } from '@tocsin/contracts';

/** What the relays need of a publisher: `Publisher` of `@tocsin/messaging` is one. */
export interface RelayPublisher {
  /** Resolves when the broker has all of `messages`, in their order for equal keys. */
  publish<T>(topic: TopicDefinition<T>, messages: readonly T[], options?: { deadlineMs?: number }): Promise<void>;
  /** Writes null for each of `keys`. Without it, the keys of deleted entities stay in their topic. */
  erase?(topic: TopicDefinition<never>, keys: readonly string[]): Promise<void>;
}

/** The part of a logger that the relays use. */
export interface RelayLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Where the age of what waits to be published is shown. */
export interface RelayMetrics {
  /** 0 when nothing waits. */
  outboxAge(outbox: string, seconds: number): void;
}

/** Messages that were added together and are stored, published and forgotten together. */
export interface OutboxEntry<Id> {
  readonly id: Id;
  readonly messages: readonly unknown[];
  /** Since they were added, by the clock of whoever stores them. */
  readonly ageMs: number;
}

/** Those of this process, or those that another process left behind. */
export type RowsOf = 'own' | 'abandoned';

/** What a relay needs of the stored rows. */
export interface RelayedRows<Id> {
  /**
   * The first `limit` rows of `topic` in the order in which their process added them, of one moment that is no earlier than
   * the call: those that are committed by then and were not said to be published.
   */
  waiting(topic: string, whose: RowsOf, limit: number): Promise<readonly OutboxEntry<Id>[]>;
  /** No later look answers these again. */
  published(entries: readonly OutboxEntry<Id>[]): void;
  /** Puts one message of an entry aside that can never be published; again changes nothing. */
  refuse(entry: OutboxEntry<Id>, message: unknown, reason: string): Promise<void>;
}

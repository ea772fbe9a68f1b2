import type { TopicDefinition } from '@tocsin/contracts';

/** The part of a publisher that the relays use; `Publisher` of `@tocsin/messaging` has it. */
export interface RelayPublisher {
  /** Resolves when the broker has all of `messages`, in their order for equal keys. */
  publish<T>(topic: TopicDefinition<T>, messages: readonly T[], options?: { deadlineMs?: number }): Promise<void>;
  /** Writes a null value for each of `keys`. Without it, the keys of deleted entities stay on their topic. */
  erase?(topic: TopicDefinition<never>, keys: readonly string[]): Promise<void>;
}

/** The part of a logger that the relays use. */
export interface RelayLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface RelayMetrics {
  /** Age of the oldest message that waits to be published; 0 when none waits. */
  outboxAge(outbox: string, seconds: number): void;
  /** A message of `topic` can never be published, and was put aside. */
  refused(topic: string): void;
}

/** A row: messages that are added, published and removed together. */
export interface OutboxEntry<Id> {
  readonly id: Id;
  readonly messages: readonly unknown[];
  /** By the database's clock. */
  readonly ageMs: number;
}

/** The rows of this process, or those that other processes left behind. */
export type RowsOf = 'own' | 'abandoned';

/** What a relay needs of the stored rows. */
export interface RelayedRows<Id> {
  /**
   * The first `limit` committed rows of `topic`, in the order in which their process added them, without those given to
   * `published`. A snapshot that is no older than the call. Rows of other processes with a higher version than that of `topic`
   * are left out.
   */
  waiting(
    topic: { readonly name: string; readonly version?: number },
    whose: RowsOf,
    limit: number,
  ): Promise<readonly OutboxEntry<Id>[]>;
  /** Later reads leave these out. */
  published(entries: readonly OutboxEntry<Id>[]): void;
  /** Stores one message of an entry that can never be published. May be called again with the same one. */
  refuse(entry: OutboxEntry<Id>, message: unknown, reason: string): Promise<void>;
}

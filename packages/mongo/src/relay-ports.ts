import type { TopicDefinition } from '@tocsin/events';

/** The part of a publisher that the relays use; `Publisher` of `@tocsin/kafka` has it. */
export interface RelayPublisher {
  /** Resolves when the broker has all of `messages`, in their order for equal keys. */
  publish<T>(topic: TopicDefinition<T>, messages: readonly T[], options?: { deadlineMs?: number }): Promise<void>;
}

/** The part of a publisher that `EntityStates` uses. */
export interface StatePublisher extends RelayPublisher {
  /** Writes a null value for each of `keys`, so that compaction removes them. */
  erase<T>(topic: TopicDefinition<T>, keys: readonly string[]): Promise<void>;
}

/** The part of a logger that the relays use. */
export interface RelayLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface RelayMetrics {
  /** Shows the age of the oldest message that waits to be published; 0 when none waits. */
  outboxAge(outbox: string, seconds: number): void;
  /** Counts a message of `topic` that can never be published and was put aside. */
  refused(topic: string): void;
}

/** A topic and the versions of its schema that this release writes and reads, as its definition has them. */
export type TopicVersion = Pick<TopicDefinition<never>, 'name' | 'version' | 'reads'>;

/** A row: messages that are added, published and removed together. */
export interface OutboxEntry {
  readonly id: unknown;
  readonly messages: readonly unknown[];
  /** Schema version of the messages. */
  readonly version: number;
  /** By the database's clock. */
  readonly ageMs: number;
}

/** The stored rows of one topic, as a relay uses them. */
export interface RelayedRows<Row extends OutboxEntry> {
  /**
   * The first `limit` committed rows of all processes in the order of `seq`, without those given to `recordPublished`. A snapshot that
   * is no older than the call. With `maxVersion`, rows of higher schema versions are left out.
   */
  first(limit: number, maxVersion?: number): Promise<readonly Row[]>;
  /** Whether the next look has to start at the first row, because the last that did was long ago. */
  readonly isFullLookDue: boolean;
  /** Notes rows that are published, so that later looks leave them out. */
  recordPublished(rows: readonly Row[]): void;
  /** Removes all published rows. Rejects if that fails. */
  removePublished(): Promise<void>;
  /** Makes the next look start at the first row of all. */
  restartLooks(): void;
  /** Puts aside one message of a row, which can never be published: stores it for operators. May be called again with the same one. */
  refuse(row: Row, message: unknown, reason: string): Promise<void>;
}

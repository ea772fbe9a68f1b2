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

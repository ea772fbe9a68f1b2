import type { TopicDefinition } from '@tocsin/contracts';
import type { Connection } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import type { Session } from './connection.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { forTopic, OUTBOX, OutboxRows, type TopicMessages, type OutboxRowId } from './outbox-rows.ts';
import type { RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';

/** A `TopicDefinition` without the type of its messages. */
export interface RelayedTopic {
  readonly name: string;
  readonly version?: number;
  readonly key: (message: never) => string;
}

/** What an {@link Outbox} needs; all durations are real time. */
export interface OutboxOptions {
  readonly connection: Connection;
  readonly publisher: RelayPublisher;
  /** Every topic that messages are added for. */
  readonly topics: readonly RelayedTopic[];
  readonly logger: RelayLogger;
  readonly metrics?: RelayMetrics;
  /** Older rows of another process are taken for those of a crashed one. By the database's clock, to a second; 3 s by default. */
  readonly abandonedMs?: number;
  /** 1 s by default. */
  readonly sweepEveryMs?: number;
}

/**
 * Publishes every message whose transaction was committed, and no other, at least once.
 *
 * Messages of one process with the same key are published in the order in which their transactions were committed. What a process
 * leaves behind in a crash or a long pause is published late, by the sweep of any process, and again by the process itself if it
 * goes on. So consumers have to ignore repeats and late arrivals, by id or version. A topic that cannot be written delays no
 * other. Rows of a topic or of a schema version that this release does not know are left to a newer one. A message that can never
 * be published, for its size or because it has no key, is put aside.
 */
export class Outbox {
  readonly #rows: OutboxRows;
  readonly #relays: ReadonlyMap<string, OutboxRelay<OutboxRowId>>;
  readonly #logger: RelayLogger;
  readonly #metrics: RelayMetrics | undefined;
  readonly #topics: OutboxOptions['topics'];
  readonly #agesMs = new Map<string, number>();

  constructor(options: OutboxOptions) {
    const { abandonedMs = 3_000, connection, logger, metrics, publisher, sweepEveryMs = 1_000 } = options;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#topics = options.topics;
    const onError = (error: unknown): void => {
      this.#logger.warn({ err: error }, 'published rows cannot be removed from the outbox; it is tried again');
    };
    const rows = new OutboxRows({ connection, abandonedMs, onError });
    this.#rows = rows;
    // The messages of a row are of the topic that it names.
    const topics = options.topics as readonly unknown[] as readonly TopicDefinition<unknown>[];
    const relayOf = (topic: TopicDefinition<unknown>): OutboxRelay<OutboxRowId> => {
      const onAge = (whose: string, ageMs: number): void => {
        this.#showAge(`${whose} ${topic.name}`, ageMs);
      };
      return new OutboxRelay({ topic, rows, publisher, logger, metrics, onAge, sweepEveryMs });
    };
    this.#relays = new Map(topics.map((topic) => [topic.name, relayOf(topic)]));
  }

  /**
   * Adds messages to the transaction of `session`, which must be one of `inTransaction`. They are published soon after its
   * commit.
   *
   * @throws TypeError when `topic` is not one of the outbox's own.
   */
  async add<T>(session: Session, topic: TopicDefinition<T>, messages: readonly T[]): Promise<void> {
    await this.addAll(session, [forTopic(topic, messages)]);
  }

  /** As `add`, for several topics in one write. @throws TypeError as `add` does. */
  async addAll(session: Session, additions: readonly TopicMessages[]): Promise<void> {
    const filled = additions.filter(({ messages }) => messages.length > 0);
    if (filled.length === 0) return;
    const relays = filled.map(({ topic }) => this.#relayOf(topic.name));
    await this.#rows.add(session, filled);
    const wake = (): void => {
      for (const relay of relays) relay.wake();
    };
    whenCommitted(session, wake, wake);
  }

  /**
   * Publishes what was committed before the call. Never throws: the sweep publishes what cannot be published now. Once the outbox
   * is started, this is not needed for messages to be published.
   */
  async flush(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.drained()));
  }

  /** From now on messages are published after each commit and by a sweep. */
  start(): void {
    for (const relay of this.#relays.values()) relay.start();
  }

  /** Publishes what can still be published, and stops the sweep. */
  async stop(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.stop()));
    await this.#rows.removed().catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'published rows stay in the outbox; they are published again');
    });
  }

  /** Waiting rows of all processes. */
  async pending(): Promise<number> {
    await this.#rows.removed();
    return this.#rows.count();
  }

  /** How many rows this release leaves to a newer one, by topic and schema version. */
  async countUnknown(): Promise<ReadonlyMap<string, number>> {
    return this.#rows.countUnknown(this.#topics);
  }

  /** Shows the age of the oldest row of all topics. */
  #showAge(of: string, ageMs: number): void {
    this.#agesMs.set(of, ageMs);
    this.#metrics?.outboxAge(OUTBOX, Math.max(...this.#agesMs.values()) / 1_000);
  }

  #relayOf(name: string): OutboxRelay<OutboxRowId> {
    const relay = this.#relays.get(name);
    if (relay === undefined) throw new TypeError(`The outbox does not relay ${name}.`);
    return relay;
  }
}

import type { TopicDefinition } from '@tocsin/contracts';
import type { Connection } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import type { Session } from './connection.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { lotOf, OUTBOX, OutboxRows, type OutboxLot, type OutboxRowId } from './outbox-rows.ts';
import type { RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';

/** A topic of whatever messages: any `TopicDefinition` is one. */
export interface RelayedTopic {
  readonly name: string;
  readonly key: (message: never) => string;
}

/** What an {@link Outbox} needs; all durations are real time. */
export interface OutboxOptions {
  readonly connection: Connection;
  readonly publisher: RelayPublisher;
  /** Every topic that rows may name. */
  readonly topics: readonly RelayedTopic[];
  readonly logger: RelayLogger;
  readonly metrics?: RelayMetrics;
  /** 3 s by default, by the database's clock, a second less may do: rows of another process that are older were left by a crash. */
  readonly abandonedMs?: number;
  /** 1 s by default. */
  readonly sweepEveryMs?: number;
}

/**
 * Publishes every message whose transaction was committed, and no other, at least once.
 *
 * The messages of one process that have the same key are published in the order in which their transactions were committed.
 * What a crash or a long pause of the process leaves behind is published by any replica's sweep, late, and again by the
 * process itself where it goes on: so consumers fold repeats and late arrivals by id or version. A topic that cannot be
 * published to holds up no other.
 */
export class Outbox {
  readonly #rows: OutboxRows;
  readonly #relays: ReadonlyMap<string, OutboxRelay<OutboxRowId>>;
  readonly #logger: RelayLogger;
  readonly #metrics: RelayMetrics | undefined;
  readonly #agesMs = new Map<string, number>();

  constructor(options: OutboxOptions) {
    const { abandonedMs = 3_000, connection, logger, metrics, publisher, sweepEveryMs = 1_000 } = options;
    this.#logger = logger;
    this.#metrics = metrics;
    const onError = (error: unknown): void => {
      this.#logger.warn({ err: error }, 'published rows cannot be removed from the outbox; it is tried again');
    };
    const rows = new OutboxRows({ connection, abandonedMs, onError });
    this.#rows = rows;
    // The messages of a row were made for its topic; what joins them again is the name.
    const topics = options.topics as readonly unknown[] as readonly TopicDefinition<unknown>[];
    const relayOf = (topic: TopicDefinition<unknown>): OutboxRelay<OutboxRowId> => {
      const onAge = (whose: string, ageMs: number): void => {
        this.#tellAge(`${whose} ${topic.name}`, ageMs);
      };
      return new OutboxRelay({ topic, rows, publisher, logger, onAge, sweepEveryMs });
    };
    this.#relays = new Map(topics.map((topic) => [topic.name, relayOf(topic)]));
  }

  /**
   * Adds messages to the transaction of `session`, which must be one of `inTransaction`; they are published soon after its
   * commit.
   *
   * @throws TypeError when `topic` is not one of the outbox's own.
   */
  async add<T>(session: Session, topic: TopicDefinition<T>, messages: readonly T[]): Promise<void> {
    await this.addAll(session, [lotOf(topic, messages)]);
  }

  /** As `add`, of several topics in one write. @throws TypeError as `add` does. */
  async addAll(session: Session, lots: readonly OutboxLot[]): Promise<void> {
    const filled = lots.filter(({ messages }) => messages.length > 0);
    if (filled.length === 0) return;
    const relays = filled.map(({ topic }) => this.#relayOf(topic.name));
    await this.#rows.add(session, filled);
    const ring = (): void => {
      for (const relay of relays) relay.ring();
    };
    whenCommitted(session, ring, ring);
  }

  /**
   * Publishes what was committed before the call. Never throws: what cannot be published now is published by the sweep.
   * Nobody has to call this once the outbox is started.
   */
  async flush(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.answered()));
  }

  /** Publishes what is committed from now on, and begins to sweep. */
  start(): void {
    for (const relay of this.#relays.values()) relay.start();
  }

  /** Publishes what can still be published, and ends. */
  async stop(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.stop()));
    await this.#rows.removed().catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'published rows stay in the outbox; they are published again');
    });
  }

  /** Rows that wait, of all replicas. */
  async pending(): Promise<number> {
    await this.#rows.removed();
    return this.#rows.count();
  }

  /** The oldest of all topics. */
  #tellAge(of: string, ageMs: number): void {
    this.#agesMs.set(of, ageMs);
    this.#metrics?.outboxAge(OUTBOX, Math.max(...this.#agesMs.values()) / 1_000);
  }

  #relayOf(name: string): OutboxRelay<OutboxRowId> {
    const relay = this.#relays.get(name);
    if (relay === undefined) throw new TypeError(`The outbox does not relay ${name}.`);
    return relay;
  }
}

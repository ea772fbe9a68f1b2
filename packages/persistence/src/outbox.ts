import type { TopicDefinition } from '@tocsin/contracts';
import { TooLargeError } from '@tocsin/errors';
import type { Connection } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import type { Session } from './connection.ts';
import { reasonOf } from './failures.ts';
import { ageMs, lotOf, OUTBOX, OutboxRows, type OutboxEntry, type OutboxLot, type OutboxRowId } from './outbox-rows.ts';
import type { RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';
import { RemovalLots } from './removal-lots.ts';
import { Repeating } from './repeating.ts';
import { SingleFlight } from './single-flight.ts';

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
  /** 2 s unless told: rows of another process that are older were left by a crash. */
  readonly abandonedMs?: number;
  /** 2 s unless told. */
  readonly sweepEveryMs?: number;
}

/** Rows that are published together. */
const BATCH = 20;
/** More rows than this are read back from the database when their turn comes. */
const MOST_IN_MEMORY = 200;
const PUBLISH_DEADLINE_MS = 5_000;

/**
 * Publishes every message whose transaction was committed, and no other, at least once.
 *
 * A process publishes in the order in which it added; what a crash leaves behind is published by any replica's sweep, late
 * and perhaps twice, so consumers fold repeats by id or version.
 */
export class Outbox {
  readonly #rows: OutboxRows;
  readonly #publisher: RelayPublisher;
  readonly #topics: ReadonlyMap<string, TopicDefinition<unknown>>;
  readonly #logger: RelayLogger;
  readonly #metrics: RelayMetrics | undefined;
  readonly #abandonedMs: number;
  readonly #relay = new SingleFlight(() => this.#relayOnce());
  readonly #sweep: Repeating;
  /** Rows that were published. */
  readonly #done: RemovalLots<OutboxRowId>;
  #committed: OutboxEntry[] = [];
  /** Whether committed rows of this process lie, or may lie, in the database alone: later ones must not overtake them. */
  #behind = false;
  #sweepDue = false;

  constructor(options: OutboxOptions) {
    this.#rows = new OutboxRows(options.connection);
    this.#publisher = options.publisher;
    // The messages of a row were made for its topic; what joins them again is the name.
    const topics = options.topics as readonly unknown[] as readonly TopicDefinition<unknown>[];
    this.#topics = new Map(topics.map((topic) => [topic.name, topic]));
    this.#logger = options.logger;
    this.#metrics = options.metrics;
    this.#abandonedMs = options.abandonedMs ?? 2_000;
    const onError = (error: unknown): void => {
      this.#logger.warn({ err: error }, 'the outbox cannot be swept; it is tried again');
    };
    this.#sweep = new Repeating({
      everyMs: options.sweepEveryMs ?? 2_000,
      work: () => this.#sweepOnce(),
      onError,
    });
    this.#done = new RemovalLots({ remove: (ids) => this.#rows.remove(ids), onError });
  }

  /**
   * Adds messages to the transaction of `session`, which must be one of `inTransaction`.
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
    for (const { topic } of filled) this.#topicNamed(topic.name);
    const entries = await this.#rows.add(session, filled);
    const committed = (): void => {
      this.#remember(entries);
    };
    const unknown = (): void => {
      this.#fallBehind();
    };
    whenCommitted(session, committed, unknown);
  }

  /**
   * Publishes what was committed before the call; calls at the same time share their work. Never throws: what cannot be
   * published now is published by the sweep.
   */
  async flush(): Promise<void> {
    if (this.#behind) return;
    try {
      await this.#relay.run();
    } catch (error) {
      this.#logger.warn({ err: error }, 'the outbox cannot be relayed; its rows wait for the sweep');
    }
  }

  /** Begins to sweep. */
  start(): void {
    this.#sweep.start();
  }

  /** Publishes what can still be published, and ends. */
  async stop(): Promise<void> {
    await this.#sweep.stop();
    await this.flush();
    await this.#done.flush().catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'published rows stay in the outbox; they are published again');
    });
  }

  /** Rows that wait, of all replicas. */
  async pending(): Promise<number> {
    await this.#done.flush();
    return this.#rows.count();
  }

  #remember(entries: readonly OutboxEntry[]): void {
    if (this.#committed.length + entries.length > MOST_IN_MEMORY) this.#fallBehind();
    if (!this.#behind) this.#committed.push(...entries);
  }

  #fallBehind(): void {
    this.#behind = true;
    this.#committed = [];
  }

  /** The one place from which anything is published, so that this process never overtakes itself. */
  async #relayOnce(): Promise<void> {
    try {
      while (this.#committed.length > 0) await this.#publish(this.#committed.splice(0, BATCH));
      if (this.#sweepDue) await this.#relayStored();
    } catch (error) {
      this.#fallBehind();
      throw error;
    }
  }

  async #sweepOnce(): Promise<void> {
    this.#sweepDue = true;
    await this.#relay.run();
  }

  async #relayStored(): Promise<void> {
    this.#sweepDue = false;
    await this.#done.flush();
    const own = this.#behind;
    let after: OutboxRowId | undefined;
    for (;;) {
      const entries = await this.#rows.waiting({
        after,
        own,
        // A newer version of the service may relay more; its rows are left to it.
        topics: [...this.#topics.keys()],
        limit: BATCH,
        olderThanMs: this.#abandonedMs,
      });
      const [oldest, last] = [entries[0], entries.at(-1)];
      this.#metrics?.outboxAge(OUTBOX, oldest === undefined ? 0 : ageMs(oldest.id) / 1_000);
      if (last === undefined) break;
      await this.#publish(entries);
      after = last.id;
    }
    // A row that was committed since the last look is old enough for one of the next sweeps.
    if (own) this.#behind = false;
  }

  /** Of several topics side by side, so that they share requests; their order among each other is nobody's business. */
  async #publish(entries: readonly OutboxEntry[]): Promise<void> {
    const byTopic = Map.groupBy(entries, (entry) => entry.topic);
    const publishing = [...byTopic].map(([name, own]) => this.#publishTo(this.#topicNamed(name), own));
    // None may be under way any more when the next ones are published.
    await Promise.allSettled(publishing);
    await Promise.all(publishing);
    this.#done.add(entries.map((entry) => entry.id));
  }

  async #publishTo(topic: TopicDefinition<unknown>, entries: readonly OutboxEntry[]): Promise<void> {
    try {
      const messages = entries.flatMap((entry) => entry.messages);
      await this.#publisher.publish(topic, messages, { deadlineMs: PUBLISH_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      // Which one it was is not said; the others fold.
      for (const entry of entries) {
        for (const message of entry.messages) await this.#publishAlone(topic, entry, message);
      }
    }
  }

  async #publishAlone(topic: TopicDefinition<unknown>, entry: OutboxEntry, message: unknown): Promise<void> {
    try {
      await this.#publisher.publish(topic, [message], { deadlineMs: PUBLISH_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      const reason = reasonOf(error);
      this.#logger.error(
        { topic: topic.name, row: entry.id, reason },
        'a message can never be published; it is put aside',
      );
      await this.#rows.refuse(entry, message, reason);
    }
  }

  #topicNamed(name: string): TopicDefinition<unknown> {
    const topic = this.#topics.get(name);
    if (topic === undefined) throw new TypeError(`The outbox does not relay ${name}.`);
    return topic;
  }
}

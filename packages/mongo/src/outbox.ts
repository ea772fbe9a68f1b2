import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { readVersionOf, type TopicDefinition } from '@tocsin/events';
import type { Connection } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import type { Session } from './connection.ts';
import { DelayedRemoval } from './delayed-removal.ts';
import { Leases, type Lease } from './leases.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { forTopic, OUTBOX, OutboxCollection, OutboxRows, type StoredRow, type TopicMessages } from './outbox-rows.ts';
import { OutboxRenewal } from './outbox-renewal.ts';
import { OutboxWatch } from './outbox-watch.ts';
import type { RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';

/** A `TopicDefinition` without the type of its messages. */
export interface RelayedTopic {
  readonly name: string;
  readonly version?: number;
  readonly reads?: number;
  readonly key: (message: never) => string;
}

/** A topic, its rows and its relay. */
interface TopicRelay {
  readonly topic: string;
  readonly rows: OutboxRows;
  readonly lease: Lease;
  readonly relay: OutboxRelay<StoredRow>;
}

/** All durations are real time. */
export interface OutboxOptions {
  readonly connection: Connection;
  readonly publisher: RelayPublisher;
  /** Every topic that messages are added for. */
  readonly topics: readonly RelayedTopic[];
  readonly logger: RelayLogger;
  readonly metrics?: RelayMetrics;
  /** Whether the process may relay a topic, by its name. While it may not, the rows wait, or another process relays them; always by default. */
  readonly mayRelay?: (topic: string) => boolean;
  /** How long the leases of topics last after their last renewal; 3 s by default. */
  readonly leaseMs?: number;
  /** How often leases are renewed, and rows are looked for that no relay was woken for; 1 s by default. */
  readonly renewEveryMs?: number;
}

/**
 * Publishes every message whose transaction was committed, and no other, at least once.
 *
 * For one entity, messages first appear on a topic in the order of their commits, whichever process committed them. Messages may
 * be repeated, so consumers have to ignore repeats by id or version. One process relays the rows of a topic for all: where that
 * one dies, another takes over when its lease has ended. Messages about different entities have no order, also where they share
 * a key.
 *
 * A topic that cannot be written delays no other. Rows of a topic or of a schema version that this release does not know are left
 * to a newer one. A message that can never be published, for its size or because it has no key, is put aside.
 */
export class Outbox {
  readonly #rows: OutboxCollection;
  readonly #removal: DelayedRemoval<StoredRow['id']>;
  readonly #relays: ReadonlyMap<string, TopicRelay>;
  readonly #renewal: OutboxRenewal<Lease>;
  readonly #watch: OutboxWatch;
  readonly #logger: RelayLogger;
  readonly #metrics: RelayMetrics | undefined;
  readonly #topics: OutboxOptions['topics'];
  readonly #agesMs = new Map<string, number>();

  constructor(options: OutboxOptions) {
    const { connection, leaseMs, logger, renewEveryMs = 1_000 } = options;
    this.#logger = logger;
    this.#metrics = options.metrics;
    this.#topics = options.topics;
    // Operators find the process by its host and number.
    const process = `${hostname()}/${pid}/${randomUUID()}`;
    this.#rows = new OutboxCollection(connection, process);
    this.#removal = new DelayedRemoval({
      remove: (ids) => this.#rows.remove(ids),
      onError: (error) => {
        this.#logger.warn({ err: error }, 'The outbox cannot remove published rows. It tries again.');
      },
    });
    // The messages of a row are of the topic that it names.
    const topics = options.topics as readonly unknown[] as readonly TopicDefinition<unknown>[];
    const leases = new Leases({ connection, group: OUTBOX, holder: process, ...(leaseMs && { durationMs: leaseMs }) });
    this.#relays = new Map(topics.map((topic) => [topic.name, this.#relay(options, topic, leases)]));
    this.#renewal = new OutboxRenewal({
      relays: [...this.#relays.values()],
      take: (wanted) => leases.take(wanted),
      hasRow: (names) => this.#hasRow(names),
      logger,
      everyMs: renewEveryMs,
    });
    this.#watch = this.#watchOthers(connection, process);
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
    const relays = filled.map(({ topic: { name } }) => {
      const relay = this.#relays.get(name);
      if (relay === undefined) throw new TypeError(`The outbox does not relay ${name}.`);
      return relay;
    });
    await this.#rows.add(session, filled);
    const wake = (): void => {
      for (const { relay } of relays) relay.wake();
    };
    whenCommitted(session, wake, wake);
  }

  /**
   * Publishes the messages of `topics`, all by default, that were committed before the call, unless another process relays the
   * topic. Never throws: messages that cannot be published now are published later. A started outbox also publishes without this call.
   */
  async flush(topics: readonly Pick<RelayedTopic, 'name'>[] = this.#topics): Promise<void> {
    await this.#renewal.whenTried();
    await Promise.all(topics.flatMap(({ name }) => this.#relays.get(name)?.relay.flush() ?? []));
  }

  /** Starts publishing after each commit. */
  start(): void {
    for (const { relay } of this.#relays.values()) relay.start();
    this.#renewal.start();
    this.#watch.start();
  }

  /** Resolves when this process has tried to take the leases of its topics since the start. Never rejects. */
  async whenLeasesTried(): Promise<void> {
    await this.#renewal.whenTried();
  }

  /** Publishes the rows that can still be published, and lets another process relay at once. */
  async stop(): Promise<void> {
    await this.#watch.stop();
    await this.#renewal.stop();
    const relays = [...this.#relays.values()].map(({ relay }) => relay);
    await Promise.all(relays.map((relay) => relay.stop()));
    await Promise.all(relays.map((relay) => relay.release()));
  }

  /** Waiting rows of all processes. */
  async pending(): Promise<number> {
    await this.#removal.flush();
    return this.#rows.count();
  }

  /** How many rows this release leaves to a newer one, by topic and schema version. */
  async countUnknown(): Promise<ReadonlyMap<string, number>> {
    return this.#rows.countUnknown(this.#topics);
  }

  #relay(options: OutboxOptions, topic: TopicDefinition<unknown>, leases: Leases): TopicRelay {
    const { connection, logger, metrics, publisher } = options;
    const rows = new OutboxRows({ connection, topic: topic.name, removal: this.#removal });
    // A release that reads a newer schema relays the topic, because it alone can publish all rows in their order.
    const lease = leases.lease(topic.name, readVersionOf(topic));
    const onAge = (ageMs: number): void => {
      this.#showAge(topic.name, ageMs);
    };
    const mayRelay = (): boolean => options.mayRelay?.(topic.name) ?? true;
    const relay = new OutboxRelay({ topic, rows, lease, publisher, logger, metrics, mayRelay, onAge });
    return { topic: topic.name, rows, lease, relay };
  }

  async #hasRow(topics: readonly string[]): Promise<boolean> {
    const ranges = topics.flatMap((name) => this.#relays.get(name)?.rows.range() ?? []);
    return this.#rows.hasRow(ranges, this.#removal.ids());
  }

  #watchOthers(connection: Connection, process: string): OutboxWatch {
    return new OutboxWatch({
      connection,
      process,
      onRow: (topic) => this.#relays.get(topic)?.relay.wake(),
      onReleased: () => void this.#renewal.take(),
      onWatching: () => void this.#renewal.take(),
      onError: (error) => {
        this.#logger.warn(
          { err: error },
          'The outbox cannot watch the rows of other processes. It looks for them each second.',
        );
      },
    });
  }

  /** Shows the age of the oldest row of all topics. */
  #showAge(topic: string, ageMs: number): void {
    this.#agesMs.set(topic, ageMs);
    this.#metrics?.outboxAge(OUTBOX, Math.max(...this.#agesMs.values()) / 1_000);
  }
}

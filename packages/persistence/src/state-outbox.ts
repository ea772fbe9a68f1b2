import { withTimeout, type Clock } from '@tocsin/clock';
import type { StateMessage, TopicDefinition, Version } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { Connection } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import type { Session } from './connection.ts';
import { DirtyRows, type Tombstone } from './dirty-rows.ts';
import { SerialQueue } from './serial-queue.ts';
import type { RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';
import { Repeating } from './repeating.ts';
import { SingleFlight } from './single-flight.ts';
import { StateRelay, type LoadStates } from './state-relay.ts';

/** What a {@link StateOutbox} needs. Durations are real time. */
export interface StateOutboxOptions<T> {
  readonly connection: Connection;
  readonly topic: TopicDefinition<StateMessage<T>>;
  /** The present state of those of `ids` that exist, read from the primary. */
  readonly load: LoadStates<T>;
  /** The ids of all entities, in any order. */
  readonly ids: () => AsyncIterable<string>;
  readonly publisher: RelayPublisher;
  readonly logger: RelayLogger;
  readonly clock: Clock;
  readonly metrics?: RelayMetrics;
  /** Older rows were left by a crash or an outage. By the database's clock; 2 s by default. */
  readonly abandonedMs?: number;
  /** 2 s by default. */
  readonly sweepEveryMs?: number;
  /** How often tombstones that are a day old are erased; a minute by default. */
  readonly eraseEveryMs?: number;
}

const PAGE = 100;
const PUBLISH_DEADLINE_MS = 5_000;
const FLUSH_MS = 2_000;
const REPUBLISH_EVERY_MS = 3_600_000;
/** By the clock of the options. */
const TOMBSTONE_MS = 24 * 3_600_000;

/**
 * Keeps a compacted topic equal to the entities of a database. After every committed change, the last value of the key becomes
 * the latest state or a tombstone, over crashes and races of several processes.
 *
 * Intermediate states may be left out. The key is erased a day after the delete. All entities are published again at the start
 * and every hour, so that a lost topic fills up again.
 */
export class StateOutbox<T> {
  readonly #options: StateOutboxOptions<T>;
  readonly #dirty: DirtyRows;
  readonly #relay: StateRelay<T>;
  readonly #turns = new SerialQueue();
  readonly #flushing = new SingleFlight(() => this.#publishChanged());
  readonly #sweep: Repeating;
  readonly #erase: Repeating;
  readonly #republish: Repeating;
  #changed = new Set<string>();

  constructor(options: StateOutboxOptions<T>) {
    this.#options = options;
    this.#dirty = new DirtyRows(options.connection, options.topic.name);
    this.#relay = new StateRelay({ ...options, dirty: this.#dirty });
    this.#sweep = new Repeating({
      everyMs: options.sweepEveryMs ?? 2_000,
      work: () => this.#sweepOnce(),
      onError: (error) => {
        this.#warn(error, 'changed entities cannot be swept; it is tried again');
      },
    });
    this.#erase = new Repeating({
      everyMs: options.eraseEveryMs ?? 60_000,
      work: () => this.#eraseTombstones(),
      onError: (error) => {
        this.#warn(error, 'the keys of deleted entities cannot be erased; it is tried again');
      },
    });
    this.#republish = new Repeating({
      everyMs: REPUBLISH_EVERY_MS,
      retryMs: 10_000,
      work: () => this.#publishAll(),
      onError: (error) => {
        this.#warn(error, 'the entities cannot be published again; it is tried again');
      },
    });
  }

  /** Marks an entity as created or changed by the transaction of `session`, which must be one of `inTransaction`. */
  async changed(session: Session, id: string): Promise<void> {
    await this.#mark(session, id, null);
  }

  /** Marks an entity as deleted by the transaction; `version` is greater than that of its last state. */
  async deleted(session: Session, id: string, version: Version): Promise<void> {
    await this.#mark(session, id, { version, at: this.#options.clock.now() });
  }

  /**
   * Publishes what this process committed before the call, for at most 2 s. Never throws: the sweep publishes the rest.
   */
  async flush(): Promise<void> {
    await withTimeout(this.#flushing.run(), FLUSH_MS, () => undefined);
  }

  /**
   * Resolves when the topic holds the latest committed state of each of `ids` (K2).
   *
   * @throws UnavailableError after `deadlineMs`, 3 s by default; the sweep publishes them later.
   */
  async publishNow(ids: readonly string[], options: { deadlineMs?: number } = {}): Promise<void> {
    const deadlineMs = options.deadlineMs ?? 3_000;
    const published = this.#publish(ids, deadlineMs).then(
      () => true,
      (error: unknown) => {
        this.#warn(error, 'entities cannot be published now; they wait for the sweep');
        return false;
      },
    );
    if (!(await withTimeout(published, deadlineMs, () => false))) {
      throw new UnavailableError('The change is stored, but could not be announced yet.');
    }
  }

  /** Publishes all entities, and begins to sweep. */
  start(): void {
    this.#sweep.start();
    this.#erase.start();
    this.#republish.start();
  }

  /** Stops the sweep, and flushes. */
  async stop(): Promise<void> {
    await Promise.all([this.#sweep.stop(), this.#erase.stop(), this.#republish.stop()]);
    await this.flush();
  }

  /** Entities of all processes that wait to be published. */
  async pending(): Promise<number> {
    return this.#dirty.count();
  }

  async #mark(session: Session, id: string, tombstone: Tombstone | null): Promise<void> {
    await this.#dirty.mark(session, id, tombstone);
    whenCommitted(session, () => this.#changed.add(id));
  }

  /** Never throws. While Kafka is away, the changes of many calls wait for one run. */
  async #publishChanged(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed = new Set();
    await this.#publish(ids, PUBLISH_DEADLINE_MS).catch((error: unknown) => {
      this.#warn(error, 'changed entities cannot be published; they wait for the sweep');
    });
  }

  /** One page at a time, so that this process never publishes an older state after a newer one. */
  async #publish(ids: readonly string[], deadlineMs: number): Promise<void> {
    for (let start = 0; start < ids.length; start += PAGE) {
      await this.#turns.run(() => this.#relay.publish(ids.slice(start, start + PAGE), deadlineMs));
    }
  }

  async #sweepOnce(): Promise<void> {
    const { metrics, topic, abandonedMs = 2_000 } = this.#options;
    for (;;) {
      const rows = await this.#dirty.waiting(abandonedMs, PAGE);
      metrics?.outboxAge(topic.name, (rows[0]?.ageMs ?? 0) / 1_000);
      if (rows.length === 0) return;
      await this.#publish(
        rows.map((row) => row.entity),
        PUBLISH_DEADLINE_MS,
      );
      if (rows.length < PAGE) return;
    }
  }

  async #eraseTombstones(): Promise<void> {
    const { clock, publisher, topic } = this.#options;
    if (publisher.erase === undefined) return;
    const tombstones = await this.#dirty.publishedTombstones(new Date(clock.now().getTime() - TOMBSTONE_MS), PAGE);
    if (tombstones.length === 0) return;
    const keys = tombstones.map((row) => row.entity);
    await publisher.erase(topic as unknown as TopicDefinition<never>, keys);
    await this.#dirty.forget(tombstones);
  }

  async #publishAll(): Promise<void> {
    let page: string[] = [];
    for await (const id of this.#options.ids()) {
      page.push(id);
      if (page.length < PAGE) continue;
      await this.#publish(page, PUBLISH_DEADLINE_MS);
      page = [];
    }
    await this.#publish(page, PUBLISH_DEADLINE_MS);
  }

  #warn(error: unknown, message: string): void {
    this.#options.logger.warn({ err: error, topic: this.#options.topic.name }, message);
  }
}

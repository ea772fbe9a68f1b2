import type { TopicDefinition } from '@tocsin/contracts';
import { TooLargeError } from '@tocsin/errors';
import { reasonOf } from './failures.ts';
import type { OutboxEntry, RelayedRows, RelayLogger, RelayMetrics, RelayPublisher, RowsOf } from './relay-ports.ts';
import { Repeating } from './repeating.ts';

export interface OutboxRelayOptions<Id> {
  readonly topic: TopicDefinition<unknown>;
  readonly rows: RelayedRows<Id>;
  readonly publisher: RelayPublisher;
  readonly logger: RelayLogger;
  readonly metrics?: Pick<RelayMetrics, 'refused'> | undefined;
  /** Called with the age of the oldest waiting row, 0 where none waits. */
  readonly onAge: (whose: RowsOf, ageMs: number) => void;
  /** Real time. */
  readonly sweepEveryMs: number;
}

interface KeyedMessage<Id> {
  readonly entry: OutboxEntry<Id>;
  readonly message: unknown;
}

/** Most rows that are published together. Each failure halves them, down to one; each success doubles them. */
const MOST_TOGETHER = 20;
const PUBLISH_DEADLINE_MS = 5_000;

/**
 * Publishes the rows of one topic: those of this process on each `wake`, and those that other processes left behind in a sweep.
 *
 * Only one read of the own rows runs at a time, in their order. A read that begins after a `wake` sees what was committed before
 * it. Reading goes on until a read that began after the last `wake` has found nothing. So no row overtakes another, and none is
 * left.
 */
export class OutboxRelay<Id> {
  readonly #options: OutboxRelayOptions<Id>;
  readonly #sweep: Repeating;
  /** How many rows Kafka takes within the deadline. */
  #together = MOST_TOGETHER;
  /** How often `wake` was called, and how many of these calls are done with. */
  #wakes = 0;
  #drainedWakes = 0;
  #draining: Promise<void> | undefined;
  /** Set by a failure until the next sweep, so that not every commit tries MongoDB or Kafka while they are away. */
  #isPaused = false;
  #started = false;

  constructor(options: OutboxRelayOptions<Id>) {
    this.#options = options;
    this.#sweep = new Repeating({
      everyMs: options.sweepEveryMs,
      work: () => this.#sweepOnce(),
      onError: (error) => {
        this.#warn(error, 'the outbox cannot be swept; it is tried again');
      },
    });
  }

  /** Rows of this process may have been committed. They are published soon, once the relay is started. */
  wake(): void {
    this.#wakes += 1;
    if (this.#started && !this.#isPaused) void this.drained();
  }

  /** Resolves when the rows of earlier `wake` calls are published, or cannot be now. Never rejects. */
  drained(): Promise<void> {
    if (this.#draining === undefined && this.#drainedWakes < this.#wakes) this.#draining = this.#drain();
    return this.#draining ?? Promise.resolve();
  }

  start(): void {
    this.#started = true;
    this.#sweep.start();
  }

  /** Publishes what can still be published, and ends. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#sweep.stop();
    await this.drained();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#drainedWakes < this.#wakes) {
        const wakes = this.#wakes;
        await this.#publishAll('own');
        this.#drainedWakes = wakes;
      }
      this.#isPaused = false;
    } catch (error) {
      this.#isPaused = true;
      this.#warn(error, 'the outbox cannot be relayed; its rows wait for the sweep');
    } finally {
      // In the same tick as the last comparison, so that a later `wake` begins again.
      this.#draining = undefined;
    }
  }

  /** Publishes the rows of this process as well: a commit whose answer was lost may be done after its `wake`. */
  async #sweepOnce(): Promise<void> {
    this.#wakes += 1;
    void this.drained();
    await this.#publishAll('abandoned');
  }

  async #publishAll(whose: RowsOf): Promise<void> {
    const { rows, topic, onAge } = this.#options;
    for (;;) {
      const most = this.#together;
      const entries = await rows.waiting(topic, whose, most);
      onAge(whose, entries[0]?.ageMs ?? 0);
      if (entries.length > 0) await this.#publishTogether(entries);
      rows.published(entries);
      // Other processes take over what a stopping one leaves.
      const leaves = whose === 'abandoned' && !this.#started;
      if (entries.length < most || leaves) return;
    }
  }

  /** A slow Kafka that takes only a part in time would get the same rows again, for ever. So fewer are sent after a failure. */
  async #publishTogether(entries: readonly OutboxEntry<Id>[]): Promise<void> {
    try {
      await this.#publish(entries);
      this.#together = Math.min(MOST_TOGETHER, this.#together * 2);
    } catch (error) {
      this.#together = Math.max(1, Math.floor(entries.length / 2));
      throw error;
    }
  }

  async #publish(entries: readonly OutboxEntry<Id>[]): Promise<void> {
    const { publisher, topic } = this.#options;
    const keyed = await this.#keyed(entries);
    if (keyed.length === 0) return;
    try {
      const messages = keyed.map(({ message }) => message);
      await publisher.publish(topic, messages, { deadlineMs: PUBLISH_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      // The error does not say which message it was. The others are published twice, which consumers tolerate.
      for (const { entry, message } of keyed) await this.#publishAlone(entry, message);
    }
  }

  /** The messages that have a key. The others would stop their topic, and are put aside. */
  async #keyed(entries: readonly OutboxEntry<Id>[]): Promise<readonly KeyedMessage<Id>[]> {
    const keyed: KeyedMessage<Id>[] = [];
    for (const entry of entries)
      for (const message of entry.messages) {
        const fault = keyFault(this.#options.topic, message);
        if (fault === undefined) keyed.push({ entry, message });
        else await this.#putAside(entry, message, fault);
      }
    return keyed;
  }

  async #publishAlone(entry: OutboxEntry<Id>, message: unknown): Promise<void> {
    const { publisher, topic } = this.#options;
    try {
      await publisher.publish(topic, [message], { deadlineMs: PUBLISH_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      await this.#putAside(entry, message, reasonOf(error));
    }
  }

  async #putAside(entry: OutboxEntry<Id>, message: unknown, reason: string): Promise<void> {
    const { logger, metrics, rows, topic } = this.#options;
    logger.error({ topic: topic.name, row: entry.id, reason }, 'a message can never be published; it is put aside');
    metrics?.refused(topic.name);
    await rows.refuse(entry, message, reason);
  }

  #warn(error: unknown, message: string): void {
    this.#options.logger.warn({ err: error, topic: this.#options.topic.name }, message);
  }
}

/** Why the message has no key; undefined where it has one. */
function keyFault(topic: TopicDefinition<unknown>, message: unknown): string | undefined {
  try {
    const key: unknown = topic.key(message);
    return typeof key === 'string' ? undefined : `Its key is ${typeof key}.`;
  } catch (error) {
    return `It has no key: ${reasonOf(error)}`;
  }
}

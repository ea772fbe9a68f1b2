import type { TopicDefinition } from '@tocsin/contracts';
import { TooLargeError } from '@tocsin/errors';
import { reasonOf } from './failures.ts';
import type { OutboxEntry, RelayedRows, RelayLogger, RelayPublisher, RowsOf } from './relay-ports.ts';
import { Repeating } from './repeating.ts';

/** What an {@link OutboxRelay} needs. */
export interface OutboxRelayOptions<Id> {
  readonly topic: TopicDefinition<unknown>;
  readonly rows: RelayedRows<Id>;
  readonly publisher: RelayPublisher;
  readonly logger: RelayLogger;
  /** Hears how old the oldest row is that waits, 0 where none does. */
  readonly onAge: (whose: RowsOf, ageMs: number) => void;
  /** Real time. */
  readonly sweepEveryMs: number;
}

/** Most rows that are published together. Each failure halves them, down to one; each success doubles them. */
const MOST_TOGETHER = 20;
const PUBLISH_DEADLINE_MS = 5_000;

/**
 * Publishes the rows of one topic: those of this process whenever the bell is rung, and what others left behind in its sweep.
 *
 * Rows are only ever read back, in their order, by one look at a time. A look that begins after a ring sees what was committed
 * before it, and the reading goes on until a look that began after the last ring has found nothing: so nothing overtakes, and
 * nothing is left.
 */
export class OutboxRelay<Id> {
  readonly #options: OutboxRelayOptions<Id>;
  readonly #sweep: Repeating;
  /** How many rows Kafka takes within the deadline. */
  #together = MOST_TOGETHER;
  #rings = 0;
  #answered = 0;
  #answering: Promise<void> | undefined;
  /** Set by a failure until the next sweep, so that not every commit asks engines that are away. */
  #rests = false;
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

  /** Rows of this process are committed, or may be. Publishes them soon, once started. */
  ring(): void {
    this.#rings += 1;
    if (this.#started && !this.#rests) void this.answered();
  }

  /** Resolves when what was rung for before the call is published, or cannot be now. Never rejects. */
  answered(): Promise<void> {
    if (this.#answering === undefined && this.#answered < this.#rings) this.#answering = this.#answer();
    return this.#answering ?? Promise.resolve();
  }

  start(): void {
    this.#started = true;
    this.#sweep.start();
  }

  /** Publishes what can still be published, and ends. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#sweep.stop();
    await this.answered();
  }

  async #answer(): Promise<void> {
    try {
      while (this.#answered < this.#rings) {
        const rings = this.#rings;
        await this.#publishAll('own');
        this.#answered = rings;
      }
      this.#rests = false;
    } catch (error) {
      this.#rests = true;
      this.#warn(error, 'the outbox cannot be relayed; its rows wait for the sweep');
    } finally {
      // In the same step as the last comparison: whoever rings after it begins anew.
      this.#answering = undefined;
    }
  }

  /** The rows of this process as well: nobody rings where the answer to a commit was lost with its transaction. */
  async #sweepOnce(): Promise<void> {
    this.#rings += 1;
    void this.answered();
    await this.#publishAll('abandoned');
  }

  async #publishAll(whose: RowsOf): Promise<void> {
    const { rows, topic, onAge } = this.#options;
    for (;;) {
      const most = this.#together;
      const entries = await rows.waiting(topic.name, whose, most);
      onAge(whose, entries[0]?.ageMs ?? 0);
      if (entries.length > 0) await this.#publishTogether(entries);
      rows.published(entries);
      if (entries.length < most) return;
    }
  }

  /** What a slow Kafka does not take in time would be sent again as a whole, for ever: less is sent together then. */
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
    try {
      const messages = entries.flatMap((entry) => entry.messages);
      await publisher.publish(topic, messages, { deadlineMs: PUBLISH_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      // Which one it was is not said; the others fold.
      for (const entry of entries) for (const message of entry.messages) await this.#publishAlone(entry, message);
    }
  }

  async #publishAlone(entry: OutboxEntry<Id>, message: unknown): Promise<void> {
    const { logger, publisher, rows, topic } = this.#options;
    try {
      await publisher.publish(topic, [message], { deadlineMs: PUBLISH_DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      const reason = reasonOf(error);
      logger.error({ topic: topic.name, row: entry.id, reason }, 'a message can never be published; it is put aside');
      await rows.refuse(entry, message, reason);
    }
  }

  #warn(error: unknown, message: string): void {
    this.#options.logger.warn({ err: error, topic: this.#options.topic.name }, message);
  }
}

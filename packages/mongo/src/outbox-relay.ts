import { readVersionOf, type TopicDefinition } from '@tocsin/events';
import { TooLargeError } from '@tocsin/core';
import { reasonOf } from './failures.ts';
import type { Lease } from './leases.ts';
import type { OutboxEntry, RelayedRows, RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';
import { SingleFlight } from './single-flight.ts';

export interface OutboxRelayOptions<Row extends OutboxEntry> {
  readonly topic: TopicDefinition<unknown>;
  readonly rows: RelayedRows<Row>;
  /** That of the topic: one process relays it. */
  readonly lease: Pick<Lease, 'isHeld' | 'take' | 'release'>;
  readonly publisher: RelayPublisher;
  readonly logger: RelayLogger;
  readonly metrics?: Pick<RelayMetrics, 'refused'> | undefined;
  /** While false, the relay takes no lease, so it publishes nothing; always true by default. */
  readonly mayRelay?: (() => boolean) | undefined;
  /** Called with the age of the oldest waiting row, 0 where none waits or another process relays the topic. */
  readonly onAge: (ageMs: number) => void;
}

interface KeyedMessage<Row> {
  readonly row: Row;
  readonly message: unknown;
}

/** How many rows are published together. Each failure halves it, down to one; each success doubles it. */
const MAX_BATCH_SIZE = 20;
const PUBLISH_DEADLINE_MS = 5_000;
/** How many batches a stopping process publishes. It leaves the rest to others. */
const MAX_BATCHES_AT_STOP = 10;
/** After so many failures in a row to publish, this process releases the lease: another one may reach Kafka. */
const MAX_FAILURES = 2;
/**
 * For so many renewals afterwards it takes the lease only if it is free. After them also from an older release, which does not publish
 * the rows of a newer one.
 */
const FREE_LEASE_RENEWALS = 60;

/**
 * Publishes the rows of one topic, those of all processes, while this process holds the lease of the topic, which
 * `OutboxRenewal` takes and renews.
 *
 * A look reads the first rows that are not published, in a snapshot. One look runs at a time, and its rows are published before the
 * next one. Looks go on until one that began after the last `wake` has found nothing. So no row overtakes an older one of its entity,
 * and none is left.
 *
 * That also holds while two processes relay a topic, because one was frozen: each publishes a row only after all older rows that its
 * snapshot shows, and the other process has published and removed the rows that the snapshot does not show. They only repeat rows.
 */
export class OutboxRelay<Row extends OutboxEntry> {
  readonly #options: OutboxRelayOptions<Row>;
  readonly #flushing = new SingleFlight(() => this.#flushUnstarted());
  readonly #releasing = new SingleFlight(() => this.#release());
  /** How many rows Kafka takes within the deadline. */
  #batchSize = MAX_BATCH_SIZE;
  /** How often `wake` was called. */
  #wakes = 0;
  /** How many of these calls were followed by a look that found nothing. */
  #drainedWakes = 0;
  #draining: Promise<void> | undefined;
  /** Set by a failure until the next renewal, so that not every commit tries MongoDB or Kafka while they are unavailable. */
  #isPaused = false;
  #isStarted = false;
  /** Failures to publish since the last success. */
  #failures = 0;
  /** For how many more renewals it takes the lease only if it is free, because it could not publish. */
  #freeLeaseRenewalsLeft = 0;
  /** Whether it takes no lease until the next renewal, because it leaves the topic to another process. */
  #yieldsLease = false;
  #isYielding = false;
  #batchesLeft = Number.POSITIVE_INFINITY;

  constructor(options: OutboxRelayOptions<Row>) {
    this.#options = options;
  }

  /** To be called when rows may have been committed. A started relay publishes them soon, if this process relays the topic. */
  wake(): void {
    this.#wakes += 1;
    if (this.#isStarted && !this.#isPaused && this.#options.lease.isHeld) void this.#drainOnce();
  }

  /** Whether this process is to take or renew the lease. */
  get wantsLease(): boolean {
    return this.#isStarted && !this.#yieldsLease && this.#mayRelay();
  }

  /** Whether it takes no lease from a holder of a lower rank. */
  get takesOnlyFreeLease(): boolean {
    return this.#freeLeaseRenewalsLeft > 0;
  }

  /** Whether it relays the topic and knows of no row to publish. It need not look unless another query shows a row. */
  get isAtRest(): boolean {
    const { lease, rows } = this.#options;
    const isDrained = this.#draining === undefined && this.#drainedWakes === this.#wakes && !this.#isPaused;
    return lease.isHeld && isDrained && !rows.isFullLookDue;
  }

  /** To be called before each renewal: a relay that failed to publish leaves its topic to another process until the next renewal. */
  beginRenewal(): void {
    this.#freeLeaseRenewalsLeft -= 1;
    if (this.#isYielding) return;
    this.#yieldsLease = this.#failures >= MAX_FAILURES;
    // Not waited for: the leases of the other topics are renewed with this one.
    if (this.#yieldsLease) void this.#yieldLease();
  }

  /** To be called when this process got the lease, from another process or free. The next look starts at the first row. */
  onLeaseTaken(): void {
    this.#options.rows.restartLooks();
    this.#wakes += 1;
  }

  /** Looks for rows, woken or not, also after a failure, if this process relays the topic. Does not wait for the end. */
  look(): void {
    const { lease, onAge } = this.#options;
    if (!lease.isHeld) {
      onAge(0);
      return;
    }
    this.#wakes += 1;
    void this.#drainOnce();
  }

  /**
   * Resolves when the rows of earlier `wake` calls are published, cannot be now, or are left to the process that relays the topic.
   * A relay that is not started takes the lease for so long. Never rejects.
   */
  async flush(): Promise<void> {
    return this.#isStarted ? this.#drainOnce() : this.#flushing.run();
  }

  start(): void {
    this.#isStarted = true;
    this.#batchesLeft = Number.POSITIVE_INFINITY;
  }

  /** To be called after the last renewal. Publishes the rows that can still be published. Never rejects. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#batchesLeft = MAX_BATCHES_AT_STOP;
    await this.#drainOnce();
  }

  /** Removes the published rows, and lets another process take the lease at once. Never rejects. */
  async release(): Promise<void> {
    await this.#releasing.run();
  }

  async #release(): Promise<void> {
    const { lease, rows } = this.#options;
    try {
      await rows.removePublished();
      if (lease.isHeld) await lease.release();
    } catch (error) {
      this.#warn(error, 'The outbox cannot release its lease in order. Rows may be published again.');
    }
  }

  /** Leaves the topic to another process, because this one cannot publish. */
  async #yieldLease(): Promise<void> {
    this.#failures = 0;
    this.#freeLeaseRenewalsLeft = FREE_LEASE_RENEWALS;
    this.#isYielding = true;
    await this.release();
    this.#isYielding = false;
  }

  async #flushUnstarted(): Promise<void> {
    const { lease, rows } = this.#options;
    if (this.#drainedWakes >= this.#wakes || !this.#mayRelay()) return;
    try {
      if (!(await lease.take())) return;
      rows.restartLooks();
      await this.#drainOnce();
    } catch (error) {
      this.#warn(error, 'The outbox cannot take the lease of a topic. It tries again.');
    }
    await this.release();
  }

  #mayRelay(): boolean {
    return this.#options.mayRelay?.() ?? true;
  }

  #drainOnce(): Promise<void> {
    if (this.#draining === undefined && this.#drainedWakes < this.#wakes) this.#draining = this.#drain();
    return this.#draining ?? Promise.resolve();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#drainedWakes < this.#wakes) {
        const wakes = this.#wakes;
        await this.#publishAll();
        this.#drainedWakes = wakes;
      }
      this.#isPaused = false;
    } catch (error) {
      this.#isPaused = true;
      this.#options.rows.restartLooks();
      this.#warn(error, 'The outbox cannot publish rows. They wait for the next renewal of the lease.');
    } finally {
      // In the same tick as the last comparison, so that a later `wake` begins again.
      this.#draining = undefined;
    }
  }

  async #publishAll(): Promise<void> {
    const { lease, onAge, rows } = this.#options;
    for (; lease.isHeld && this.#batchesLeft > 0; this.#batchesLeft -= 1) {
      const { found, isLast } = await this.#look();
      onAge(found[0]?.ageMs ?? 0);
      if (found.length > 0) await this.#publishBatch(found);
      rows.recordPublished(found);
      if (isLast) return;
    }
  }

  /**
   * The first rows of one schema version, up to one that this release does not read. That one is left to the newer release that wrote
   * it, which takes the lease. Where none does, as after a roll-back by more than one release, the rows behind it go on without it.
   */
  async #look(): Promise<{ readonly found: readonly Row[]; readonly isLast: boolean }> {
    const { lease, rows, topic } = this.#options;
    const known = readVersionOf(topic);
    const limit = this.#batchSize;
    const first = await rows.first(limit);
    if (first[0] === undefined || first[0].version <= known) return ofOneVersion(first, limit);
    if (!(await lease.take())) return { found: [], isLast: true };
    return ofOneVersion(await rows.first(limit, known), limit);
  }

  /** A slow Kafka that takes only a part in time would get the same rows again, for ever. So fewer are sent after a failure. */
  async #publishBatch(rows: readonly Row[]): Promise<void> {
    try {
      await this.#publish(rows);
      this.#failures = 0;
      this.#freeLeaseRenewalsLeft = 0;
      this.#batchSize = Math.min(MAX_BATCH_SIZE, this.#batchSize * 2);
    } catch (error) {
      this.#failures += 1;
      this.#batchSize = Math.max(1, Math.floor(rows.length / 2));
      throw error;
    }
  }

  async #publish(rows: readonly Row[]): Promise<void> {
    const keyed = await this.#keyed(rows);
    const [first] = keyed;
    if (first === undefined) return;
    try {
      await this.#send(
        first.row,
        keyed.map(({ message }) => message),
      );
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      // The error does not say which message it was. The others are published twice, which consumers tolerate.
      for (const { row, message } of keyed) await this.#publishAlone(row, message);
    }
  }

  /** Messages of rows of the same schema version as `row`. They keep it, whichever version this release writes. */
  async #send({ version }: Row, messages: readonly unknown[]): Promise<void> {
    const { publisher, topic } = this.#options;
    await publisher.publish({ ...topic, version }, messages, { deadlineMs: PUBLISH_DEADLINE_MS });
  }

  /** The messages that have a key. Puts the others aside, because they would stop their topic. */
  async #keyed(rows: readonly Row[]): Promise<readonly KeyedMessage<Row>[]> {
    const keyed: KeyedMessage<Row>[] = [];
    for (const row of rows)
      for (const message of row.messages) {
        const fault = keyFault(this.#options.topic, message);
        if (fault === undefined) keyed.push({ row, message });
        else await this.#putAside(row, message, fault);
      }
    return keyed;
  }

  async #publishAlone(row: Row, message: unknown): Promise<void> {
    try {
      await this.#send(row, [message]);
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      await this.#putAside(row, message, reasonOf(error));
    }
  }

  async #putAside(row: Row, message: unknown, reason: string): Promise<void> {
    const { logger, metrics, rows, topic } = this.#options;
    logger.error({ topic: topic.name, row: row.id, reason }, 'A message can never be published and is put aside.');
    metrics?.refused(topic.name);
    await rows.refuse(row, message, reason);
  }

  #warn(error: unknown, message: string): void {
    this.#options.logger.warn({ err: error, topic: this.#options.topic.name }, message);
  }
}

/** The rows before the first of another schema version, and whether no row follows them; a look for `limit` rows found all of `rows`. */
function ofOneVersion<Row extends OutboxEntry>(
  rows: readonly Row[],
  limit: number,
): { readonly found: readonly Row[]; readonly isLast: boolean } {
  const other = rows.findIndex(({ version }) => version !== rows[0]?.version);
  return other < 0 ? { found: rows, isLast: rows.length < limit } : { found: rows.slice(0, other), isLast: false };
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

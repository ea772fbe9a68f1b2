import type { Clock } from '@tocsin/clock';
import { whenCommitted } from '@tocsin/persistence';
import type { ClientSession, Connection } from 'mongoose';
import { Sleeper } from './sleeper.ts';
import { Firings, type TimerLogger } from './firings.ts';
import { TimerRows, type DueTimer, type TimerRow } from './timer-rows.ts';

export interface TimerMetrics {
  /** How late a timer was claimed. */
  timerLag(collection: string, seconds: number): void;
}

/** What {@link Timers} needs; all durations are real time. */
export interface TimersOptions<P> {
  readonly connection: Connection;
  /** Its index comes from {@link timerIndexes}. */
  readonly collection: string;
  /** The kinds of timers that `fire` knows; undefined where the collection has one. Rows of other kinds stay as they are. */
  readonly kinds?: readonly string[];
  readonly clock: Clock;
  /**
   * Has the effects of the timers, and removes each with `remove`, in its own transaction or afterwards. No other process has the
   * timers meanwhile, unless this one was frozen. Timers that are not removed fire again within a lease. When `fire` throws, all
   * fire again: within a second where MongoDB, Kafka or another service was away, else after a back-off. So its effects need
   * deterministic ids.
   */
  readonly fire: (due: readonly DueTimer<P>[]) => Promise<void>;
  /**
   * How many timers `fire` can take now. With it, `fire` is called while earlier calls run, and `wake` is to be called when the
   * number has grown. Without it, each call waits for the end of the one before.
   */
  readonly room?: () => number;
  readonly logger: TimerLogger;
  readonly metrics?: TimerMetrics;
  /** After this time another process may claim the timers of a dead one; 5 s by default. */
  readonly leaseMs?: number;
  /** Most timers of one call of `fire`; 500 by default. */
  readonly batch?: number;
  /** Longest pause between two polls, and so how late a timer of another process may be found; 700 ms by default. */
  readonly pollMs?: number;
}

/** Processes that claimed the same rows start at a random one of the first four batches. */
const SPREAD = 4;
const SHORTEST_WAIT_MS = 10;
/** How often expired leases are freed, as a part of a lease. */
const FREE_EVERY_LEASES = 0.1;

/**
 * Fires every timer at least once: within a second of its due instant by the clock, or within the lease + 2 s when the process
 * that had claimed it died. Any number of processes share the rows, and only one at a time has a claim on a row.
 *
 * Timers are rows in MongoDB, so a crash loses none; a late one fires once. A timer that was claimed before it was cancelled may
 * still fire: `fire` recognises it by its fence.
 */
export class Timers<P> {
  readonly #options: TimersOptions<P> & Required<Pick<TimersOptions<P>, 'leaseMs' | 'batch' | 'pollMs'>>;
  readonly #rows: TimerRows<P>;
  readonly #firings: Firings<P>;
  readonly #sleeper = new Sleeper();
  #loop: Promise<void> | undefined;
  #stopping = false;
  #contended = false;
  /** When to poll for due rows next, and when to free expired leases; on the monotonic clock. */
  #pollAt = 0;
  #freeAt = 0;

  constructor(options: TimersOptions<P>) {
    this.#options = { leaseMs: 5_000, batch: 500, pollMs: 700, ...options };
    const { batch, connection, collection, fire, kinds, leaseMs, logger, room } = this.#options;
    this.#rows = new TimerRows(connection, collection, kinds);
    this.#firings = new Firings({
      rows: this.#rows,
      collection,
      leaseMs,
      logger,
      fire,
      batch,
      concurrent: room !== undefined,
      onEnd: () => {
        this.wake();
      },
    });
  }

  get collection(): string {
    return this.#options.collection;
  }

  /**
   * Sets timers, in the transaction of `session` where one is given, which must be one of `inTransaction`. A row with the same id
   * is replaced, and a claim on it is lost. Timers that are due already are polled for at once after the commit.
   */
  async schedule(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): Promise<void> {
    await this.#rows.put(rows, session);
    this.#pollInTime(session, rows);
  }

  /** As {@link schedule}, but a row with the same id that is due earlier keeps its instant. */
  async bringForward(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): Promise<void> {
    await this.#rows.bringForward(rows, session);
    this.#pollInTime(session, rows);
  }

  /**
   * Removes timers by their ids, in the transaction of `session` where one is given. Unknown ids are ignored. A claimed timer may
   * be firing, or have fired already.
   */
  async cancel(session: ClientSession | undefined, ids: readonly string[]): Promise<void> {
    await this.#rows.delete(ids, session);
  }

  /**
   * Removes those of `due` that this process still has a claim on, and returns how many: if fewer, another process has the
   * others. In a transaction it should come first, so that it does not conflict with the renewal of the lease.
   */
  async remove(due: DueTimer<P> | readonly DueTimer<P>[], session?: ClientSession): Promise<number> {
    return this.#rows.remove('id' in due ? [due] : due, session);
  }

  /** Frees those of `due` that this process still has a claim on, as if they had never been claimed. */
  async giveBack(due: readonly DueTimer<P>[]): Promise<void> {
    await this.#rows.release(due);
  }

  start(): void {
    this.#stopping = false;
    this.#pollAt = 0;
    this.#loop ??= this.#run();
  }

  /** Resolves when the running calls of `fire` have ended, and all other claims are released. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#firings.stop();
    this.#sleeper.wake();
    await this.#loop;
    this.#loop = undefined;
  }

  /** To be called when `room` has grown: due timers are claimed at once. */
  wake(): void {
    this.#sleeper.wake();
  }

  /** How many timers are due by the clock, claimed ones included. */
  async due(): Promise<number> {
    return this.#rows.countDue(this.#options.clock.now());
  }

  /** Kind -> how many timers are due that this release leaves to a newer one. */
  async countUnknown(): Promise<ReadonlyMap<string, number>> {
    return this.#rows.countUnknown(this.#options.clock.now());
  }

  /** The due instant of the earliest timer, claimed ones included. */
  async oldest(): Promise<Date | undefined> {
    return this.#rows.oldest();
  }

  /** The due instant of the earliest timer that is not claimed. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.#rows.earliest();
  }

  /** Polls when the first of `rows` is due, once they are committed. */
  #pollInTime(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): void {
    const earliest = rows.reduce((least, { dueAt }) => Math.min(least, dueAt.getTime()), Infinity);
    const first = earliest - this.#options.clock.now().getTime();
    const committed = (): void => {
      this.#pollAt = Math.min(this.#pollAt, performance.now() + Math.max(0, first));
      this.#sleeper.wake();
    };
    if (session === undefined) committed();
    else whenCommitted(session, committed);
  }

  async #run(): Promise<void> {
    const leave = this.#options.clock.whenMoved(() => {
      this.#pollAt = 0;
      this.#sleeper.wake();
    });
    this.#firings.start();
    while (!this.#stopping) {
      const room = this.#room();
      if (room > 0 && performance.now() >= this.#pollAt) {
        // A timer that is set during the poll may be due earlier than those found.
        this.#pollAt = Infinity;
        const waitMs = await this.#poll(room);
        this.#pollAt = Math.min(this.#pollAt, performance.now() + waitMs);
      }
      const untilPoll = Math.max(0, this.#pollAt - performance.now());
      await this.#sleeper.sleep(this.#room() > 0 ? untilPoll : this.#options.pollMs);
    }
    leave();
    await this.#firings.ended();
  }

  #room(): number {
    const { batchSize, underWay } = this.#firings;
    const { room } = this.#options;
    if (room === undefined) return underWay === 0 ? batchSize : 0;
    return Math.min(batchSize, room());
  }

  /** Claims due timers and begins to fire them. Returns how long to wait before the next poll. */
  async #poll(room: number): Promise<number> {
    const { logger, collection, pollMs } = this.#options;
    try {
      await this.#freeExpired();
      return (await this.#claim(room)) ? 0 : this.#untilDue(await this.#rows.earliest());
    } catch (error) {
      logger.error({ err: error, timers: collection }, 'timers cannot be read; they fire late');
      return pollMs;
    }
  }

  async #freeExpired(): Promise<void> {
    const now = performance.now();
    if (now < this.#freeAt) return;
    await this.#rows.freeExpired();
    this.#freeAt = now + this.#options.leaseMs * FREE_EVERY_LEASES;
  }

  #untilDue(earliest: Date | undefined): number {
    const { clock, pollMs } = this.#options;
    if (earliest === undefined) return pollMs;
    return Math.min(pollMs, Math.max(SHORTEST_WAIT_MS, earliest.getTime() - clock.now().getTime()));
  }

  /** Whether there may be more to claim. */
  async #claim(limit: number): Promise<boolean> {
    const { clock, collection, leaseMs, metrics } = this.#options;
    // Processes that try to claim the same rows win few of them. Only then it is worth starting further on.
    const skip = this.#contended ? Math.floor(Math.random() * SPREAD) * limit : 0;
    const now = clock.now();
    const { asked, won } = await this.#rows.claim(now, { limit, skip, leaseMs });
    this.#contended = asked === limit && won.length < asked / 2;
    for (const { dueAt } of won) metrics?.timerLag(collection, Math.max(0, now.getTime() - dueAt.getTime()) / 1_000);
    if (won.length > 0) this.#firings.begin(won);
    return asked === limit || skip > 0;
  }
}

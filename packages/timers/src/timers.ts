import type { Clock } from '@tocsin/clock';
import { whenCommitted } from '@tocsin/persistence';
import type { ClientSession, Connection } from 'mongoose';
import { Alarm } from './alarm.ts';
import { Firings } from './firings.ts';
import type { TimerLogger } from './timer-logger.ts';
import { TimerRows, type DueTimer, type TimerRow } from './timer-rows.ts';

/** Where the lateness of timers is shown. */
export interface TimerMetrics {
  timerLag(collection: string, seconds: number): void;
}

/** What {@link Timers} needs; all durations are real time. */
export interface TimersOptions<P> {
  readonly connection: Connection;
  /** One kind of timer, one collection; its index comes from `timerIndexes`. */
  readonly collection: string;
  readonly clock: Clock;
  /**
   * Does what the timers are for, and removes each with `remove`, in its own transaction or afterwards. Nobody else has them
   * while it runs and this process lives; a process that was frozen has lost them. What it does not remove comes again within
   * a lease of its end; when it throws, all of it comes again after a back-off. Its effects need deterministic ids.
   */
  readonly fire: (due: readonly DueTimer<P>[]) => Promise<void>;
  /**
   * How many timers `fire` takes now; it is called again while earlier calls are under way, and `wake` says when this has
   * grown. Unless told, the next call waits for the end of the one before.
   */
  readonly room?: () => number;
  readonly logger: TimerLogger;
  readonly metrics?: TimerMetrics;
  /** 5 s unless told: how long a row of a process that died is held. */
  readonly leaseMs?: number;
  /** 500 unless told: the most rows of one call of `fire`. */
  readonly batch?: number;
  /** 700 ms unless told: the longest pause between two looks, and so how late a timer that another process set may be. */
  readonly pollMs?: number;
}

/** Of the first batches, how far apart claimers that got in each other's way start. */
const SPREAD = 4;
const SHORTEST_WAIT_MS = 10;
/** Expired leases are looked for once in this part of a lease. */
const PART_OF_LEASE = 0.1;

/**
 * Fires every timer at least once, within a second of its due instant by the clock while anybody runs, and within lease +
 * 2 s when the process that held it died; any number of replicas share the rows and no row is held by two.
 *
 * Timers are rows in MongoDB, so none is lost by a crash; one that is late fires once and says by how much. One that was
 * claimed before it was cancelled may fire all the same: by its fence it is told from what counts.
 */
export class Timers<P> {
  readonly #options: TimersOptions<P> & Required<Pick<TimersOptions<P>, 'leaseMs' | 'batch' | 'pollMs'>>;
  readonly #rows: TimerRows<P>;
  readonly #firings: Firings<P>;
  readonly #alarm = new Alarm();
  #loop: Promise<void> | undefined;
  #stopping = false;
  #contended = false;
  /** When to look for due rows next, and for expired leases; real time. */
  #lookAt = 0;
  #freeAt = 0;

  constructor(options: TimersOptions<P>) {
    this.#options = { leaseMs: 5_000, batch: 500, pollMs: 700, ...options };
    const { connection, collection, fire, leaseMs, logger, room } = this.#options;
    this.#rows = new TimerRows(connection, collection);
    this.#firings = new Firings({
      rows: this.#rows,
      collection,
      leaseMs,
      logger,
      fire,
      together: room !== undefined,
      onEnd: () => {
        this.wake();
      },
    });
  }

  /** Its one kind of timer. */
  get collection(): string {
    return this.#options.collection;
  }

  /**
   * Sets timers, with the rest of the transaction where there is one, which must be one of `inTransaction` then. A row of the
   * same id is replaced, and whoever has claimed it has lost it. What is due already is looked for at once after the commit.
   */
  async schedule(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): Promise<void> {
    await this.#rows.put(rows, session);
    this.#lookInTime(session, rows);
  }

  /**
   * As {@link schedule}, but a row of the same id that is due earlier keeps its instant. It never postpones.
   */
  async bringForward(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): Promise<void> {
    await this.#rows.bringForward(rows, session);
    this.#lookInTime(session, rows);
  }

  /**
   * Removes timers by their ids, with the rest of the transaction where there is one; what is not there is passed over. Of one
   * that somebody has claimed, `fire` may be under way, or done already.
   */
  async cancel(session: ClientSession | undefined, ids: readonly string[]): Promise<void> {
    await this.#rows.delete(ids, session);
  }

  /**
   * Removes those of `due` that this process still holds, and answers how many: fewer means that another has them now. Within
   * a transaction it goes first, so that it never meets the renewal of a lease.
   */
  async remove(due: DueTimer<P> | readonly DueTimer<P>[], session?: ClientSession): Promise<number> {
    return this.#rows.remove('id' in due ? [due] : due, session);
  }

  /** Lets anybody have those of `due` that this process still holds, as if they had never been claimed. */
  async giveBack(due: readonly DueTimer<P>[]): Promise<void> {
    await this.#rows.release(due);
  }

  /** Begins to fire. */
  start(): void {
    this.#stopping = false;
    this.#lookAt = 0;
    this.#loop ??= this.#run();
  }

  /** Ends when the calls of `fire` that are under way have ended; what was claimed and not fired is free again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#firings.stop();
    this.#alarm.ring();
    await this.#loop;
    this.#loop = undefined;
  }

  /** There may be more room: what is due is claimed at once. */
  wake(): void {
    this.#alarm.ring();
  }

  /** How many timers are due by the clock, those that are being fired included. */
  async due(): Promise<number> {
    return this.#rows.countDue(this.#options.clock.now());
  }

  /** The due instant of the earliest timer, those that are being fired included. */
  async oldest(): Promise<Date | undefined> {
    return this.#rows.oldest();
  }

  /** The due instant of the earliest timer that nobody holds. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.#rows.earliest();
  }

  /** Looks again when the first of `rows` is due, once they are committed. */
  #lookInTime(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): void {
    const first = Math.min(...rows.map(({ dueAt }) => dueAt.getTime())) - this.#options.clock.now().getTime();
    const committed = (): void => {
      this.#lookAt = Math.min(this.#lookAt, performance.now() + Math.max(0, first));
      this.#alarm.ring();
    };
    if (session === undefined) committed();
    else whenCommitted(session, committed);
  }

  async #run(): Promise<void> {
    const leave = this.#options.clock.whenMoved(() => {
      this.#lookAt = 0;
      this.#alarm.ring();
    });
    this.#firings.start();
    while (!this.#stopping) {
      const room = this.#room();
      if (room > 0 && performance.now() >= this.#lookAt) {
        // What is set meanwhile may be due earlier than what was found.
        this.#lookAt = Infinity;
        const waitMs = await this.#look(room);
        this.#lookAt = Math.min(this.#lookAt, performance.now() + waitMs);
      }
      const untilLook = Math.max(0, this.#lookAt - performance.now());
      await this.#alarm.wait(this.#room() > 0 ? untilLook : this.#options.pollMs);
    }
    leave();
    await this.#firings.ended();
  }

  #room(): number {
    const { batch, room } = this.#options;
    if (room === undefined) return this.#firings.underWay === 0 ? batch : 0;
    return Math.min(batch, room());
  }

  /** Begins to fire what is due; answers how long there is nothing to look for. */
  async #look(room: number): Promise<number> {
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
    this.#freeAt = now + this.#options.leaseMs * PART_OF_LEASE;
  }

  #untilDue(earliest: Date | undefined): number {
    const { clock, pollMs } = this.#options;
    if (earliest === undefined) return pollMs;
    return Math.min(pollMs, Math.max(SHORTEST_WAIT_MS, earliest.getTime() - clock.now().getTime()));
  }

  /** Whether there may be more to claim. */
  async #claim(limit: number): Promise<boolean> {
    const { clock, collection, leaseMs, metrics } = this.#options;
    // Claimers that ask for the same rows win few of them; only then is it worth starting further on.
    const skip = this.#contended ? Math.floor(Math.random() * SPREAD) * limit : 0;
    const now = clock.now();
    const { asked, won } = await this.#rows.claim(now, { limit, skip, leaseMs });
    this.#contended = asked === limit && won.length < asked / 2;
    for (const { dueAt } of won) metrics?.timerLag(collection, Math.max(0, now.getTime() - dueAt.getTime()) / 1_000);
    if (won.length > 0) this.#firings.begin(won);
    return asked === limit || skip > 0;
  }
}

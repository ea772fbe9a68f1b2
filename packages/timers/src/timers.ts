import type { Clock } from '@tocsin/clock';
import { whenCommitted } from '@tocsin/persistence';
import type { ClientSession, Connection } from 'mongoose';
import { Alarm } from './alarm.ts';
import { HeldTimers } from './held-timers.ts';
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
   * Does what the timers are for, and removes each with `remove`, in its own transaction or afterwards. What it does not
   * remove comes again when the lease is over; when it throws, all of it comes again after a back-off. It may be called
   * for one timer twice, at the same time even, when it takes longer than the lease: its effects need deterministic ids.
   */
  readonly fire: (due: readonly DueTimer<P>[]) => Promise<void>;
  readonly logger: TimerLogger;
  readonly metrics?: TimerMetrics;
  /** 30 s unless told: how long a row of a process that died is held. */
  readonly leaseMs?: number;
  /** 500 unless told: the most rows of one call of `fire`. */
  readonly batch?: number;
  /** 700 ms unless told: the longest pause between two looks, and so how late a timer that another process set may be. */
  readonly pollMs?: number;
}

/** Rows that failed this often are fired one by one, so that one bad timer does not hold the others up. */
const SUSPECT_AFTER = 3;
/** Of the first batches, how far apart claimers that got in each other's way start. */
const SPREAD = 4;
const SHORTEST_WAIT_MS = 10;
/**
 * While nobody holds anything, expired leases are looked for once in this part of a lease: before one can have passed. What
 * was claimed as it was set is given back by a transaction that took longer, so that most of a lease is left to the firing.
 */
const PART_OF_LEASE = 0.1;
/**
 * Fires every timer at least once, within a second of its due instant by the clock while anybody runs, and within lease +
 * 1 s when the process that held it died; any number of replicas share the rows and no row is held by two.
 *
 * Timers are rows in MongoDB, so none is lost by a crash; one that is late fires once and says by how much. Cancelling is
 * lazy: change what the fence is compared with, and let it fire into nothing.
 */
export class Timers<P> {
  readonly #options: Required<Omit<TimersOptions<P>, 'metrics'>> & Pick<TimersOptions<P>, 'metrics'>;
  readonly #rows: TimerRows<P>;
  readonly #held: HeldTimers<P>;
  readonly #alarm = new Alarm();
  #loop: Promise<void> | undefined;
  #stopping = false;
  #contended = false;
  /** Whether the loop waits, so that what is due at once can be fired at once. */
  #idle = false;
  /** When to look for due rows next, and from when on for expired leases; real time. */
  #lookAt = 0;
  #freeAt = 0;

  constructor(options: TimersOptions<P>) {
    this.#options = { leaseMs: 30_000, batch: 500, pollMs: 700, ...options };
    const { connection, collection, logger, leaseMs } = this.#options;
    this.#rows = new TimerRows(connection, collection);
    this.#held = new HeldTimers({
      ...{ rows: this.#rows, collection, logger, leaseMs, longestCommitMs: leaseMs * PART_OF_LEASE },
      onGivenBack: () => {
        this.wake();
      },
    });
  }

  /**
   * Sets timers, with the rest of the transaction where there is one, which must be one of `inTransaction` then. A row of the
   * same id is replaced, and whoever has claimed it has lost it. What is due already is claimed as it is set, and fired after
   * the commit, unless this process is busy firing: then it is claimed by whoever looks first.
   */
  async schedule(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): Promise<void> {
    const { batch, clock, leaseMs } = this.#options;
    const [now, since] = [clock.now(), performance.now()];
    const hold = this.#idle && rows.length <= batch ? { now, leaseMs } : undefined;
    const timers = await this.#rows.put(rows, session, hold);
    const free = hold === undefined ? rows : rows.filter(({ dueAt }) => dueAt > now);
    const first = Math.min(...free.map(({ dueAt }) => dueAt.getTime())) - now.getTime();
    const held = { timers, since };
    const committed = (): void => {
      if (timers.length > 0) this.#held.keep(held);
      this.#lookAt = Math.min(this.#lookAt, performance.now() + Math.max(0, first));
      this.#alarm.ring();
    };
    const unknown = (): void => {
      this.#held.giveBack(held);
    };
    if (session === undefined) committed();
    else whenCommitted(session, committed, unknown);
  }

  /** Removes those of `due` that this process still holds, and answers how many: fewer means that another has them now. */
  async remove(due: DueTimer<P> | readonly DueTimer<P>[], session?: ClientSession): Promise<number> {
    return this.#rows.remove('id' in due ? [due] : due, session);
  }

  /** Begins to fire. */
  start(): void {
    this.#stopping = false;
    this.#lookAt = 0;
    this.#loop ??= this.#run();
  }

  /** Ends when the batch that is being fired is done; what was claimed and not fired is free again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#alarm.ring();
    await this.#loop;
    this.#loop = undefined;
  }

  /** Looks at once. */
  wake(): void {
    this.#lookAt = 0;
    this.#alarm.ring();
  }

  /** How many timers are due by the clock, those that are being fired included. */
  async due(): Promise<number> {
    return this.#rows.countDue(this.#options.clock.now());
  }

  /** The due instant of the earliest timer that nobody holds. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.#rows.earliest();
  }

  async #run(): Promise<void> {
    const leave = this.#options.clock.whenMoved(() => {
      this.wake();
    });
    while (!this.#stopping) {
      await this.#fireHeld();
      if (performance.now() >= this.#lookAt) {
        // What is set meanwhile may be due earlier than what was found.
        this.#lookAt = Infinity;
        const waitMs = await this.#look();
        this.#lookAt = Math.min(this.#lookAt, performance.now() + waitMs);
      }
      this.#idle = true;
      await this.#alarm.wait(Math.max(0, this.#lookAt - performance.now()));
      this.#idle = false;
    }
    leave();
    await this.#fireHeld();
  }

  async #fireHeld(): Promise<void> {
    const { collection, logger } = this.#options;
    for (const timers of this.#held.taken()) {
      try {
        await this.#fire(timers);
      } catch (error) {
        logger.error(
          { err: error, timers: collection },
          'timers cannot be given back; they fire when their lease is over',
        );
      }
    }
  }

  /** Fires what is due; answers how long there is nothing to look for. */
  async #look(): Promise<number> {
    const { clock, logger, collection, pollMs } = this.#options;
    try {
      await this.#held.release();
      const [earliest] = await Promise.all([this.#rows.earliest(), this.#freeExpired()]);
      if (earliest === undefined || earliest > clock.now()) return this.#untilDue(earliest);
      return (await this.#claimAndFire()) ? 0 : this.#untilDue(await this.#rows.earliest());
    } catch (error) {
      logger.error({ err: error, timers: collection }, 'timers cannot be read; they fire late');
      return pollMs;
    }
  }

  async #freeExpired(): Promise<void> {
    const now = performance.now();
    if (now < this.#freeAt) return;
    const someHeld = await this.#rows.freeExpired();
    this.#freeAt = someHeld ? 0 : now + this.#options.leaseMs * PART_OF_LEASE;
  }

  #untilDue(earliest: Date | undefined): number {
    const { clock, pollMs } = this.#options;
    if (earliest === undefined) return pollMs;
    return Math.min(pollMs, Math.max(SHORTEST_WAIT_MS, earliest.getTime() - clock.now().getTime()));
  }

  /** Whether there may be more to claim. */
  async #claimAndFire(): Promise<boolean> {
    const { clock, batch, leaseMs } = this.#options;
    // Claimers that ask for the same rows win few of them; only then is it worth starting further on.
    const skip = this.#contended ? Math.floor(Math.random() * SPREAD) * batch : 0;
    const { asked, won } = await this.#rows.claim(clock.now(), { limit: batch, skip, leaseMs });
    this.#contended = asked === batch && won.length < asked / 2;
    if (won.length > 0) await this.#fire(won);
    return asked === batch || skip > 0;
  }

  async #fire(won: readonly DueTimer<P>[]): Promise<void> {
    const { clock, collection, leaseMs, metrics } = this.#options;
    // What was claimed as it was set is fired after its commit, which may take its time.
    const now = clock.now().getTime();
    for (const { dueAt } of won) metrics?.timerLag(collection, Math.max(0, now - dueAt.getTime()) / 1_000);
    const trusted = won.filter((timer) => timer.attempts < SUSPECT_AFTER);
    const calls = [trusted, ...won.filter((timer) => timer.attempts >= SUSPECT_AFTER).map((timer) => [timer])];
    const enoughAt = performance.now() + leaseMs / 2;
    for (const [index, due] of calls.entries()) {
      if (due.length === 0) continue;
      if (this.#stopping || performance.now() > enoughAt) {
        await this.#rows.release(calls.slice(index).flat());
        return;
      }
      await this.#fireOnce(due);
    }
  }

  async #fireOnce(due: readonly DueTimer<P>[]): Promise<void> {
    const { fire, logger, collection } = this.#options;
    try {
      await fire(due);
    } catch (error) {
      logger.error({ err: error, timers: collection, count: due.length }, 'timers failed; they are fired again later');
      this.#freeAt = 0;
      await this.#rows.setBack(due);
    }
  }
}

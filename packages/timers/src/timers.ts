import type { Clock } from '@tocsin/clock';
import type { ClientSession, Connection } from 'mongoose';
import { Alarm } from './alarm.ts';
import { TimerRows, type DueTimer, type TimerRow } from './timer-rows.ts';

/** The part of a logger that timers use. */
export interface TimerLogger {
  error(fields: object, message: string): void;
}

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
const EAGER_MS = 1_000;
const EAGER_POLL_MS = 50;
const SHORTEST_WAIT_MS = 10;

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
  readonly #alarm = new Alarm();
  #loop: Promise<void> | undefined;
  #stopping = false;
  #contended = false;
  #eagerUntil = 0;

  constructor(options: TimersOptions<P>) {
    this.#options = { leaseMs: 30_000, batch: 500, pollMs: 700, ...options };
    this.#rows = new TimerRows(options.connection, options.collection);
  }

  /**
   * Sets timers, with the rest of the transaction where there is one. A row of the same id is replaced, and whoever has
   * claimed it has lost it.
   */
  async schedule(session: ClientSession | undefined, rows: readonly TimerRow<P>[]): Promise<void> {
    await this.#rows.put(rows, session);
    const first = Math.min(...rows.map((row) => row.dueAt.getTime())) - this.#options.clock.now().getTime();
    if (first > this.#options.pollMs) return;
    // The transaction commits a little later; until then the row cannot be seen.
    this.#eagerUntil = performance.now() + Math.max(0, first) + EAGER_MS;
    this.#alarm.ringIfWaitingBeyond(Math.max(EAGER_POLL_MS, first));
  }

  /** Removes those of `due` that this process still holds, and answers how many: fewer means that another has them now. */
  async remove(due: DueTimer<P> | readonly DueTimer<P>[], session?: ClientSession): Promise<number> {
    return this.#rows.remove('id' in due ? [due] : due, session);
  }

  /** Begins to fire. */
  start(): void {
    this.#stopping = false;
    this.#loop ??= this.#run();
  }

  /** Ends when the batch that is being fired is done; what was claimed and not fired is free again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#alarm.ring();
    await this.#loop;
    this.#loop = undefined;
  }

  /** Looks at once, for instance after the commit of timers that are due already. */
  wake(): void {
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
      this.#alarm.ring();
    });
    while (!this.#stopping) {
      await this.#alarm.wait(await this.#look());
    }
    leave();
  }

  /** Fires what is due; answers how long there is nothing to look for. */
  async #look(): Promise<number> {
    const { clock, logger, collection, pollMs } = this.#options;
    try {
      const [earliest] = await Promise.all([this.#rows.earliest(), this.#rows.freeExpired()]);
      if (earliest === undefined || earliest > clock.now()) return this.#untilDue(earliest);
      return (await this.#claimAndFire()) ? 0 : this.#untilDue(await this.#rows.earliest());
    } catch (error) {
      logger.error({ err: error, timers: collection }, 'timers cannot be read; they fire late');
      return pollMs;
    }
  }

  #untilDue(earliest: Date | undefined): number {
    const poll = performance.now() < this.#eagerUntil ? EAGER_POLL_MS : this.#options.pollMs;
    if (earliest === undefined) return poll;
    const ahead = earliest.getTime() - this.#options.clock.now().getTime();
    return Math.min(poll, Math.max(SHORTEST_WAIT_MS, ahead));
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
    const { collection, leaseMs, metrics } = this.#options;
    for (const timer of won) metrics?.timerLag(collection, timer.lateMs / 1_000);
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
      await this.#rows.setBack(due);
    }
  }
}

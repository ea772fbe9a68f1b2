import { isUnavailable } from '@tocsin/persistence';
import type { DueTimer, TimerRows } from './timer-rows.ts';

/** The part of a logger that timers use. */
export interface TimerLogger {
  error(fields: object, message: string): void;
}

export interface FiringsOptions<P> {
  readonly rows: TimerRows<P>;
  /** For the log. */
  readonly collection: string;
  readonly leaseMs: number;
  readonly logger: TimerLogger;
  readonly fire: (due: readonly DueTimer<P>[]) => Promise<void>;
  /** Most timers of one call of `fire`. */
  readonly batch: number;
  /** Whether `fire` may be called while another call of it runs. */
  readonly concurrent: boolean;
  /** Called when a firing has ended. */
  readonly onEnd: () => void;
}

interface Firing<P> {
  readonly claims: readonly DueTimer<P>[];
  /** On the monotonic clock. */
  readonly beganAt: number;
}

/** Timers that failed this often are fired one by one, so that one bad timer does not delay the others. */
const SUSPECT_AFTER = 3;
/** How long timers wait that could not fire because MongoDB, Kafka or another service was away. */
const UNAVAILABLE_PAUSE_MS = 250;
/** How often a lease is renewed before it would expire. */
const RENEWALS_IN_LEASE = 3;
/** The lease of a longer firing is not renewed, so that another process can take its timers over. Milliseconds. */
const LONGEST_FIRING_MS = 60_000;

/**
 * Calls `fire` for claimed timers, and renews their leases meanwhile, so that no other process claims them while this one lives.
 */
export class Firings<P> {
  readonly #options: FiringsOptions<P>;
  readonly #underWay = new Map<Firing<P>, Promise<void>>();
  #renewing: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Halved where a call found its engine away: its batch may have been too large for the time that a transaction has. */
  #batchSize: number;

  constructor(options: FiringsOptions<P>) {
    this.#options = options;
    this.#batchSize = options.batch;
  }

  /** How many timers to claim for one call of `fire`. */
  get batchSize(): number {
    return this.#batchSize;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  start(): void {
    this.#stopping = false;
    const everyMs = this.#options.leaseMs / RENEWALS_IN_LEASE;
    this.#renewing ??= setInterval(() => {
      this.#renew(performance.now() - everyMs);
    }, everyMs).unref();
  }

  begin(claims: readonly DueTimer<P>[]): void {
    const trusted = claims.filter(({ attempts }) => attempts < SUSPECT_AFTER);
    const alone = claims.filter(({ attempts }) => attempts >= SUSPECT_AFTER).map((claim) => [claim]);
    const calls = trusted.length > 0 ? [trusted, ...alone] : alone;
    if (this.#options.concurrent) for (const call of calls) this.#begin([call]);
    else this.#begin(calls);
  }

  /** From now on, claimed timers that are not fired yet are released. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves when no firing is running. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  #begin(calls: readonly (readonly DueTimer<P>[])[]): void {
    const { collection, logger, onEnd } = this.#options;
    const firing = { claims: calls.flat(), beganAt: performance.now() };
    const done = this.#fire(calls)
      .catch((error: unknown) => {
        logger.error(
          { err: error, timers: collection },
          'timers cannot be given back; they fire when their lease is over',
        );
      })
      .finally(() => {
        this.#underWay.delete(firing);
        onEnd();
      });
    this.#underWay.set(firing, done);
  }

  async #fire(calls: readonly (readonly DueTimer<P>[])[]): Promise<void> {
    const { batch, fire, logger, collection, rows } = this.#options;
    for (const [index, due] of calls.entries()) {
      if (this.#stopping) {
        await rows.release(calls.slice(index).flat());
        return;
      }
      try {
        await fire(due);
        this.#batchSize = Math.min(batch, this.#batchSize * 2);
      } catch (error) {
        if (isUnavailable(error)) {
          this.#batchSize = Math.max(1, Math.floor(due.length / 2));
          await this.#giveBack(calls.slice(index).flat(), error);
          return;
        }
        logger.error(
          { err: error, timers: collection, count: due.length },
          'timers failed; they are fired again later',
        );
        await rows.setBack(due);
      }
    }
  }

  /** They failed by no fault of theirs, so they neither back off nor count as tried. */
  async #giveBack(due: readonly DueTimer<P>[], error: unknown): Promise<void> {
    const { logger, collection, rows } = this.#options;
    const { length: count } = due;
    logger.error({ err: error, timers: collection, count }, 'timers cannot fire now; they are fired again soon');
    await rows.release(due, UNAVAILABLE_PAUSE_MS);
  }

  /** Renews the leases of firings that began before `before`; most end earlier and need no renewal. */
  #renew(before: number): void {
    const { collection, leaseMs, logger, rows } = this.#options;
    const earliest = before - LONGEST_FIRING_MS;
    const old = [...this.#underWay.keys()].filter((firing) => firing.beganAt < before && firing.beganAt > earliest);
    rows
      .renew(
        old.flatMap(({ claims }) => claims),
        leaseMs,
      )
      .catch((error: unknown) => {
        logger.error(
          { err: error, timers: collection },
          'leases of timers cannot be renewed; others may fire them too',
        );
      });
  }
}

import type { TimerLogger } from './timer-logger.ts';
import type { DueTimer, TimerRows } from './timer-rows.ts';

export interface FiringsOptions<P> {
  readonly rows: TimerRows<P>;
  /** The name that the log tells the timers by. */
  readonly collection: string;
  readonly leaseMs: number;
  readonly logger: TimerLogger;
  readonly fire: (due: readonly DueTimer<P>[]) => Promise<void>;
  /** Whether the calls of one claim are made at the same time. */
  readonly together: boolean;
  /** Told when claims are fired to their end. */
  readonly onEnd: () => void;
}

/** Claims that are being fired, since when (real time). */
interface Firing<P> {
  readonly claims: readonly DueTimer<P>[];
  readonly since: number;
}

/** Rows that failed this often are fired one by one, so that one bad timer does not hold the others up. */
const SUSPECT_AFTER = 3;
/** Leases are renewed this often in the time of one. */
const RENEWALS_IN_LEASE = 3;
/** In milliseconds: what hangs for longer is left to somebody else. */
const LONGEST_FIRING_MS = 60_000;

/** Fires claims and renews their leases until they are fired: nobody else has them while this process lives. */
export class Firings<P> {
  readonly #options: FiringsOptions<P>;
  readonly #underWay = new Map<Firing<P>, Promise<void>>();
  #renewing: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: FiringsOptions<P>) {
    this.#options = options;
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
    if (this.#options.together) for (const call of calls) this.#begin([call]);
    else this.#begin(calls);
  }

  /** What is claimed and not begun is given back from now on. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  #begin(calls: readonly (readonly DueTimer<P>[])[]): void {
    const { collection, logger, onEnd } = this.#options;
    const firing = { claims: calls.flat(), since: performance.now() };
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
    const { fire, logger, collection, rows } = this.#options;
    for (const [index, due] of calls.entries()) {
      if (this.#stopping) {
        await rows.release(calls.slice(index).flat());
        return;
      }
      try {
        await fire(due);
      } catch (error) {
        logger.error(
          { err: error, timers: collection, count: due.length },
          'timers failed; they are fired again later',
        );
        await rows.setBack(due);
      }
    }
  }

  /** Those that are under way since before `since`: most are fired sooner than they need it. */
  #renew(since: number): void {
    const { collection, leaseMs, logger, rows } = this.#options;
    const longest = since - LONGEST_FIRING_MS;
    const old = [...this.#underWay.keys()].filter((firing) => firing.since < since && firing.since > longest);
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

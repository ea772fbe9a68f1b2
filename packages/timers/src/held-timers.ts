import type { TimerLogger } from './timer-logger.ts';
import type { DueTimer, TimerRows } from './timer-rows.ts';

/** Timers that were claimed as they were set, and since when (real time). */
export interface Held<P> {
  readonly timers: readonly DueTimer<P>[];
  readonly since: number;
}

export interface HeldTimersOptions<P> {
  readonly rows: TimerRows<P>;
  /** The name that the log tells them by. */
  readonly collection: string;
  readonly leaseMs: number;
  /** How old a claim may be when its transaction is committed, so that most of a lease is left to the firing. */
  readonly longestCommitMs: number;
  readonly logger: TimerLogger;
  /** Told when there may be rows again that nobody holds. */
  readonly onGivenBack: () => void;
}

/** How long what was claimed as it was set waits for its turn; then another process may have it. */
const TURN_MS = 500;

/** What was claimed as it was set, until it is fired here or given back, so that whoever looks first may have it. */
export class HeldTimers<P> {
  readonly #options: HeldTimersOptions<P>;
  readonly #waiting = new Set<Held<P>>();
  #givenBack: Held<P>[] = [];

  constructor(options: HeldTimersOptions<P>) {
    this.#options = options;
  }

  /** Until it is their turn, or somebody else's. */
  keep(held: Held<P>): void {
    if (performance.now() - held.since > this.#options.longestCommitMs) {
      this.giveBack(held);
      return;
    }
    this.#waiting.add(held);
    setTimeout(() => {
      if (this.#waiting.delete(held)) this.giveBack(held);
    }, TURN_MS).unref();
  }

  /** Takes away what waits, one after the other, and what comes meanwhile. */
  *taken(): Generator<readonly DueTimer<P>[]> {
    for (const held of this.#waiting) {
      this.#waiting.delete(held);
      yield held.timers;
    }
  }

  giveBack(held: Held<P>): void {
    const { collection, logger, onGivenBack } = this.#options;
    this.#givenBack.push(held);
    this.release().catch((error: unknown) => {
      logger.error({ err: error, timers: collection }, 'timers cannot be given back yet; it is tried again');
    });
    onGivenBack();
  }

  /** Again and again until their lease is over: what is perhaps committed a moment later cannot be released before. */
  async release(): Promise<void> {
    const now = performance.now();
    this.#givenBack = this.#givenBack.filter(({ since }) => now - since < this.#options.leaseMs);
    await this.#options.rows.release(this.#givenBack.flatMap(({ timers }) => timers));
  }
}

import type { Clock } from '@tocsin/clock';

/** The part of a logger that the watch uses. */
interface WatchLogger {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface ClockWatchOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** What another clock, which all replicas share, says now. */
  readonly askOther: () => Promise<Date>;
  readonly logger: WatchLogger;
  /** Shows by how many seconds this clock is ahead of the other. */
  readonly show: (seconds: number) => void;
}

/** A clock that is further away than this, in milliseconds, pages people late or too early. */
const LARGEST_DIFFERENCE_MS = 1_000;

/** Compares the clock of this process with one that all replicas share, and says when they are over a second apart. */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #right = true;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Whether they were at most a second apart when they were compared last. */
  get right(): boolean {
    return this.#right;
  }

  /** @throws what asking throws; then nothing is known anew. */
  async compare(): Promise<void> {
    const { askOther, clock, logger, show } = this.#options;
    const asked = clock.now().getTime();
    const other = (await askOther()).getTime();
    const answered = clock.now().getTime();
    // The other clock was read at some moment in between.
    const aheadMs = (asked + answered) / 2 - other;
    show(aheadMs / 1_000);
    const uncertainMs = (answered - asked) / 2;
    const right = Math.abs(aheadMs) - uncertainMs <= LARGEST_DIFFERENCE_MS;
    const aheadSeconds = aheadMs / 1_000;
    if (!right) logger.error({ aheadSeconds }, 'the clock of this machine is wrong: compare it with that of MongoDB');
    else if (!this.#right) logger.info({ aheadSeconds }, 'the clock of this machine is right again');
    this.#right = right;
  }
}

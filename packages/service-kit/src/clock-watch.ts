import type { Clock } from '@tocsin/clock';

/** The part of a logger that the watch uses. */
interface WatchLogger {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface ClockWatchOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The time by MongoDB's clock, which all processes share. */
  readonly askMongo: () => Promise<Date>;
  /**
   * How many milliseconds the clock of each other service is ahead of this one. Called only when this clock and MongoDB's differ.
   */
  readonly askOthers: () => Promise<readonly number[]>;
  readonly logger: WatchLogger;
  /** Called with the seconds that this clock is ahead of MongoDB's. */
  readonly show: (seconds: number) => void;
}

/** A larger difference, in milliseconds, would page people late or too early. */
const LARGEST_DIFFERENCE_MS = 1_000;

/**
 * Compares the clock of this process with MongoDB's, and logs when they differ by more than a second. This clock counts as wrong
 * when most of the other services are nearer to MongoDB. Otherwise MongoDB's may be wrong, and work goes on.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #apart = false;
  #wrong = false;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Whether the last comparison found this clock to be wrong: then other processes should do the work. */
  get wrong(): boolean {
    return this.#wrong;
  }

  /** @throws what `askMongo` throws; then the last result stands. */
  async compare(): Promise<void> {
    const { askMongo, clock, logger, show } = this.#options;
    const sentAt = clock.now().getTime();
    const mongo = (await askMongo()).getTime();
    const answered = clock.now().getTime();
    // MongoDB's clock was read at some moment in between.
    const aheadMs = (sentAt + answered) / 2 - mongo;
    show(aheadMs / 1_000);
    const uncertainMs = (answered - sentAt) / 2;
    const apart = Math.abs(aheadMs) - uncertainMs > LARGEST_DIFFERENCE_MS;
    this.#wrong = apart && (await this.#isAlone(aheadMs));
    const fields = { aheadSeconds: aheadMs / 1_000 };
    if (this.#wrong) logger.error(fields, 'the clock of this machine is wrong: MongoDB and the other services agree');
    else if (apart) logger.error(fields, 'the clock of this machine or that of MongoDB is wrong: look at both');
    else if (this.#apart) logger.info(fields, 'the clocks of this machine and of MongoDB agree again');
    this.#apart = apart;
  }

  async #isAlone(aheadMs: number): Promise<boolean> {
    const others = await this.#options.askOthers();
    const against = others.filter((otherAheadMs) => Math.abs(otherAheadMs + aheadMs) < Math.abs(otherAheadMs));
    return against.length > others.length / 2;
  }
}

import type { Clock } from '@tocsin/clock';

/** The part of a logger that the watch uses. */
interface WatchLogger {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface ClockWatchOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** What MongoDB's clock, which all replicas share, says now. */
  readonly askMongo: () => Promise<Date>;
  /** By how many milliseconds the clock of each other service that answers is ahead of this one. Asked only when this clock and MongoDB's differ. */
  readonly askOthers: () => Promise<readonly number[]>;
  readonly logger: WatchLogger;
  /** Shows by how many seconds this clock is ahead of MongoDB's. */
  readonly show: (seconds: number) => void;
}

/** A clock that is further away than this, in milliseconds, pages people late or too early. */
const LARGEST_DIFFERENCE_MS = 1_000;

/**
 * Compares the clock of this process with MongoDB's, and says when they are over a second apart. It is this one that is wrong
 * where most of the other services that answer are nearer to MongoDB; else it may be MongoDB's, and work goes on.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #apart = false;
  #wrong = false;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Whether others should have the work of this process, as far as the last comparison could tell. */
  get wrong(): boolean {
    return this.#wrong;
  }

  /** @throws what asking MongoDB throws; then nothing is known anew. */
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

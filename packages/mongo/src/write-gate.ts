import { UnavailableError } from '@tocsin/core';

interface WaitingWriter {
  readonly exclusive: boolean;
  readonly enter: () => void;
}

/** How {@link WriteGate} runs a piece of work. */
export interface WriteGateOptions {
  readonly exclusive: boolean;
  /** How long the work waits for its start at most, in milliseconds of real time. */
  readonly waitLimitMs: number;
  /** Makes the error that is thrown after that time. */
  readonly timeoutError?: () => Error;
}

/**
 * Admits writers of one process that write the same documents, as a read-write lock: shared or exclusive, in the order in which they
 * came. Without it they would conflict in the database, and a long transaction would lose to short ones each time.
 */
export class WriteGate {
  readonly #waiting: WaitingWriter[] = [];
  #running = 0;
  #isExclusive = false;

  /** How many writers run or wait. */
  get size(): number {
    return this.#running + this.#waiting.length;
  }

  /**
   * Runs `work` beside others or, where it is `exclusive`, alone.
   *
   * @throws what `timeoutError` returns, by default UnavailableError, when it has not begun in time; then it never begins.
   */
  async run<T>(work: () => Promise<T>, options: WriteGateOptions): Promise<T> {
    await this.#enter(options);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#isExclusive = false;
      this.#admit();
    }
  }

  #enter({ exclusive, waitLimitMs, timeoutError = defaultTimeoutError }: WriteGateOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(timeoutError());
        this.#admit();
      }, waitLimitMs);
      const waiting: WaitingWriter = {
        exclusive,
        enter: () => {
          clearTimeout(limit);
          resolve();
        },
      };
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#isExclusive || (next.exclusive && this.#running > 0)) return;
      this.#waiting.shift();
      this.#running += 1;
      this.#isExclusive = next.exclusive;
      next.enter();
    }
  }
}

const defaultTimeoutError = () => new UnavailableError('The transactions before this one take too long.');

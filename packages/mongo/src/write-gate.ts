import { UnavailableError } from '@tocsin/core';

interface Waiting {
  readonly exclusive: boolean;
  readonly enter: () => void;
}

/** How {@link WriteGate} runs a piece of work. */
export interface WriteGateOptions {
  readonly exclusive: boolean;
  /** How long it waits at most, in milliseconds of real time. */
  readonly waitLimitMs: number;
  /** The error after that time. */
  readonly tooLate?: () => Error;
}

/**
 * A gate for writers of one process that write the same documents, as a read-write lock: shared or exclusive, first come, first served. Without it they
 * would conflict in the database, and a long transaction would lose to short ones each time.
 */
export class WriteGate {
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isExclusive = false;

  /** How many run or wait. */
  get size(): number {
    return this.#inside + this.#waiting.length;
  }

  /**
   * Runs `work` beside others or, where it is `exclusive`, alone.
   *
   * @throws what `tooLate` returns, by default UnavailableError, when it has not begun in time; then it never begins.
   */
  async run<T>(work: () => Promise<T>, options: WriteGateOptions): Promise<T> {
    await this.#enter(options);
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#isExclusive = false;
      this.#admit();
    }
  }

  #enter({ exclusive, waitLimitMs, tooLate = takesTooLong }: WriteGateOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(tooLate());
        this.#admit();
      }, waitLimitMs);
      const waiting: Waiting = {
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
      if (this.#isExclusive || (next.exclusive && this.#inside > 0)) return;
      this.#waiting.shift();
      this.#inside += 1;
      this.#isExclusive = next.exclusive;
      next.enter();
    }
  }
}

const takesTooLong = () => new UnavailableError('The transactions before this one take too long.');

import { UnavailableError } from '@tocsin/errors';

interface Waiting {
  readonly exclusive: boolean;
  readonly enter: () => void;
}

/**
 * A read-write lock for transactions of one process that write the same documents; first come, first served. First tries share
 * it. The retry of a transaction after a conflict holds it exclusively. Without the lock, a long transaction loses to short ones
 * each time.
 */
export class RetryGate {
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isExclusive = false;

  /**
   * Runs `work` beside others or, where it is `exclusive`, alone.
   *
   * @throws UnavailableError when it has not begun after `waitAtMostMs` of real time; then it never begins.
   */
  async run<T>(
    work: () => Promise<T>,
    { exclusive, waitAtMostMs }: { readonly exclusive: boolean; readonly waitAtMostMs: number },
  ): Promise<T> {
    await this.#enter(exclusive, waitAtMostMs);
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#isExclusive = false;
      this.#admit();
    }
  }

  #enter(exclusive: boolean, waitAtMostMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new UnavailableError('The transactions before this one take too long.'));
        this.#admit();
      }, waitAtMostMs);
      const waiting: Waiting = {
        exclusive,
        enter: () => {
          clearTimeout(patience);
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

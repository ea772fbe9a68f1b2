import { UnavailableError } from '@tocsin/errors';

/** What waits at the gate. */
interface Waiting {
  readonly exclusive: boolean;
  readonly enter: () => void;
}

/**
 * A lock for the transactions of one process that write the same documents: first come, first served. First tries share it; one that
 * has lost to another holds it alone when it is tried again. Without it a long transaction loses to short ones each time.
 */
export class RetryGate {
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isExclusive = false;

  /**
   * Runs `work` beside others, or, where it is `exclusive`, alone; in the order of the calls where it has to wait.
   *
   * @throws UnavailableError where it has not begun after `waitAtMostMs` of real time; it never begins then.
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

import { UnavailableError } from '@tocsin/errors';

/** What waits at the gate. */
interface Waiting {
  readonly alone: boolean;
  readonly enter: () => void;
}

/**
 * Lets the transactions of one process that write the same documents run beside each other, and one that lost to another run alone
 * when it is tried again. Without it a long transaction beside a stream of short ones loses to one of them each time.
 */
export class RetryGate {
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isOneAlone = false;

  /**
   * Runs `work` beside others, or alone; in the order of the calls where it has to wait.
   *
   * @throws UnavailableError where it has not begun after `patienceMs` of real time; it never begins then.
   */
  async run<T>(
    work: () => Promise<T>,
    { alone, patienceMs }: { readonly alone: boolean; readonly patienceMs: number },
  ): Promise<T> {
    await this.#enter(alone, patienceMs);
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#isOneAlone = false;
      this.#admit();
    }
  }

  #enter(alone: boolean, patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new UnavailableError('The transactions before this one take too long.'));
        this.#admit();
      }, patienceMs);
      const waiting: Waiting = {
        alone,
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
      if (this.#isOneAlone || (next.alone && this.#inside > 0)) return;
      this.#waiting.shift();
      this.#inside += 1;
      this.#isOneAlone = next.alone;
      next.enter();
    }
  }
}

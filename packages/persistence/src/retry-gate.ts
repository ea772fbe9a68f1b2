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

  /** Runs `work` beside others, or alone; in the order of the calls where it has to wait. */
  async run<T>(work: () => Promise<T>, { alone }: { readonly alone: boolean }): Promise<T> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ alone, enter });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#isOneAlone = false;
      this.#admit();
    }
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

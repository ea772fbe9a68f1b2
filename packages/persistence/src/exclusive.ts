/** Runs pieces of work one after the other, in the order in which they came; one that fails does not hold up the next. */
export class Exclusive {
  #last: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  /** How many pieces of work are running or waiting. */
  get size(): number {
    return this.#unfinished;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#unfinished += 1;
    const mine = this.#last.then(work).finally(() => (this.#unfinished -= 1));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when everything that came before is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Runs pieces of work one after the other, in the order in which they came; one that fails does not hold up the next. */
export class Exclusive {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when everything that came before is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

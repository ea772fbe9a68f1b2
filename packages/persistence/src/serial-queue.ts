/** Runs tasks one after the other, in the order of the calls. A failed task does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  /** Tasks that run or wait. */
  get size(): number {
    return this.#unfinished;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#unfinished += 1;
    const mine = this.#last.then(work).finally(() => (this.#unfinished -= 1));
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/**
 * Writes results in groups: those that arrive while one group is being written are the next group. So a result is on disk
 * a moment after it was known, and a thousand of them do not cost a thousand transactions.
 */
export class ConclusionQueue<T> {
  readonly #write: (results: readonly T[]) => Promise<readonly T[]>;
  #waiting: { readonly result: T; readonly done: PromiseWithResolvers<boolean> }[] = [];
  #writing = false;

  /** `write` answers which of the results were taken. */
  constructor(write: (results: readonly T[]) => Promise<readonly T[]>) {
    this.#write = write;
  }

  /** Resolves when the result is written, with whether it was taken; rejects as the write does. */
  async add(result: T): Promise<boolean> {
    const done = Promise.withResolvers<boolean>();
    this.#waiting.push({ result, done });
    if (!this.#writing) void this.#drain();
    return done.promise;
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      try {
        const taken = new Set(await this.#write(group.map(({ result }) => result)));
        for (const { done, result } of group) done.resolve(taken.has(result));
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    this.#writing = false;
  }
}

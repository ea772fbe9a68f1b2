/**
 * Writes results in groups: those that arrive while one group is being written are the next group. So a result is on disk
 * a moment after it was known, and a thousand of them do not cost a thousand transactions.
 */
export class ConclusionQueue<T> {
  readonly #write: (results: readonly T[]) => Promise<void>;
  #waiting: { readonly result: T; readonly done: PromiseWithResolvers<undefined> }[] = [];
  #writing = false;

  constructor(write: (results: readonly T[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the result is written; rejects as the write does. */
  async add(result: T): Promise<void> {
    const done = Promise.withResolvers<undefined>();
    this.#waiting.push({ result, done });
    if (!this.#writing) void this.#drain();
    await done.promise;
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      try {
        await this.#write(group.map(({ result }) => result));
        for (const { done } of group) done.resolve(undefined);
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    this.#writing = false;
  }
}

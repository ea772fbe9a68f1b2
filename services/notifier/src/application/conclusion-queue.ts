/**
 * Writes results in groups: those that arrive while one group is being written are the next group. So a result is on disk
 * a moment after it was known, and a thousand of them do not cost a thousand transactions.
 */
export class ConclusionQueue<T, A> {
  readonly #write: (results: readonly T[]) => Promise<ReadonlyMap<T, A>>;
  readonly #most: number;
  #waiting: { readonly result: T; readonly done: PromiseWithResolvers<A | undefined> }[] = [];
  #writing = false;

  /** `write` has an answer for each result that was taken; `most` are written together. */
  constructor(write: (results: readonly T[]) => Promise<ReadonlyMap<T, A>>, most = Infinity) {
    this.#write = write;
    this.#most = most;
  }

  /** Resolves when the result is written, with the answer; undefined where it was not taken. Rejects as the write does. */
  async add(result: T): Promise<A | undefined> {
    const done = Promise.withResolvers<A | undefined>();
    this.#waiting.push({ result, done });
    if (!this.#writing) void this.#drain();
    return done.promise;
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#most);
      try {
        const answers = await this.#write(group.map(({ result }) => result));
        for (const { done, result } of group) done.resolve(answers.get(result));
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    this.#writing = false;
  }
}

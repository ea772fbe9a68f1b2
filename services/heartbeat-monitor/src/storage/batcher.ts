interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_CONCURRENT_BATCHES = 2;
const MAX_BATCH_SIZE = 500;

/** Processes in one batch the items that are added at the same time: those that are added while two batches are under way wait for the next one. */
export class Batcher<T, R> {
  readonly #process: (items: readonly T[]) => Promise<readonly R[]>;
  #waiting: Waiting<T, R>[] = [];
  #underWay = 0;

  /** `process` resolves with one result for each of its items, in their order. */
  constructor(process: (items: readonly T[]) => Promise<readonly R[]>) {
    this.#process = process;
  }

  /** Resolves with the result of `item`; rejects where its batch fails. */
  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.#waiting.push({ item, resolve, reject });
    // Items that are added in the same turn of the event loop are of the same batch.
    if (this.#waiting.length === 1) setImmediate(() => void this.#next());
    return promise;
  }

  async #next(): Promise<void> {
    if (this.#underWay >= MAX_CONCURRENT_BATCHES || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, MAX_BATCH_SIZE);
    this.#underWay += 1;
    try {
      const results = await this.#process(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#underWay -= 1;
      void this.#next();
    }
  }
}

import { setImmediate } from 'node:timers';

export interface BatcherOptions<T, R> {
  /** Resolves with one result for each of its items, in their order. */
  readonly process: (items: readonly T[]) => Promise<readonly R[]>;
  /** The most items of a batch; no limit by default. */
  readonly maxItems?: number;
  /** The most batches under way at a time; 1 by default. */
  readonly maxConcurrent?: number;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Processes items in batches. A batch has the items that were added in one turn of the event loop, or while as many batches as
 * may be were under way. The order of the calls is kept. An item waits for its caller alone: what bounds the callers bounds the
 * items, and a stop that waits for the callers drains the batcher.
 */
export class Batcher<T, R> {
  readonly #process: (items: readonly T[]) => Promise<readonly R[]>;
  readonly #maxItems: number;
  readonly #maxConcurrent: number;
  #waiting: Waiting<T, R>[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor({ process, maxItems = Infinity, maxConcurrent = 1 }: BatcherOptions<T, R>) {
    this.#process = process;
    this.#maxItems = maxItems;
    this.#maxConcurrent = maxConcurrent;
  }

  /** Resolves with the result of `item`; rejects where its batch fails. */
  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#begin();
      });
    }
    return promise;
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.#maxConcurrent)
      void this.#run(this.#waiting.splice(0, this.#maxItems));
  }

  async #run(batch: readonly Waiting<T, R>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const results = await this.#process(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#underWay -= 1;
      this.#begin();
    }
  }
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Lots that are under way at once, and the most items of one. */
const AT_ONCE = 2;
const LONGEST = 500;

/**
 * Does in one step what is asked for at the same time: what comes while steps are under way waits for the next one. Nobody
 * waits where nothing is under way.
 */
export class Lots<T, R> {
  readonly #settle: (items: readonly T[]) => Promise<readonly R[]>;
  #waiting: Waiting<T, R>[] = [];
  #underWay = 0;

  /** `settle` answers one result for each of its items, in their order. */
  constructor(settle: (items: readonly T[]) => Promise<readonly R[]>) {
    this.#settle = settle;
  }

  /** Resolves with the result of `item`; rejects where the step of its lot fails. */
  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.#waiting.push({ item, resolve, reject });
    // What the same turn of the event loop brings comes along.
    if (this.#waiting.length === 1) setImmediate(() => void this.#next());
    return promise;
  }

  async #next(): Promise<void> {
    if (this.#underWay >= AT_ONCE || this.#waiting.length === 0) return;
    const lot = this.#waiting.splice(0, LONGEST);
    this.#underWay += 1;
    try {
      const results = await this.#settle(lot.map(({ item }) => item));
      for (const [index, { resolve }] of lot.entries()) resolve(results[index] as R);
    } catch (error) {
      for (const { reject } of lot) reject(error);
    } finally {
      this.#underWay -= 1;
      void this.#next();
    }
  }
}

/** Remembers for a while that something does not exist. */
export class NegativeCache {
  readonly #lifetimeMs: number;
  readonly #capacity: number;
  /** The oldest first. */
  readonly #until = new Map<string, number>();

  /** Over `capacity` (1 or more) the oldest entries are dropped. */
  constructor(lifetimeMs: number, capacity: number) {
    this.#lifetimeMs = lifetimeMs;
    this.#capacity = capacity;
  }

  /** `nowMs` here and in `add` is of the same monotonic clock. */
  has(key: string, nowMs: number): boolean {
    const until = this.#until.get(key);
    return until !== undefined && nowMs < until;
  }

  add(key: string, nowMs: number): void {
    this.#until.delete(key);
    this.#until.set(key, nowMs + this.#lifetimeMs);
    for (const [oldest, until] of this.#until) {
      if (until > nowMs && this.#until.size <= this.#capacity) break;
      this.#until.delete(oldest);
    }
  }
}

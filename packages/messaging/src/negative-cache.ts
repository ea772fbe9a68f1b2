/** Remembers for a short real time that something is not there. */
export class NegativeCache {
  readonly #lifetimeMs: number;
  readonly #capacity: number;
  /** In the order in which they were added, so that the oldest comes first. */
  readonly #until = new Map<string, number>();

  /** Over `capacity` (1 or more) the oldest entries go. */
  constructor(lifetimeMs: number, capacity: number) {
    this.#lifetimeMs = lifetimeMs;
    this.#capacity = capacity;
  }

  /** `nowMs` of any monotonic clock, always the same. */
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

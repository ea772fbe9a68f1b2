export interface PatienceBounds {
  /** The longest time in which a caller sends and takes nothing, real time. */
  readonly timeoutMs: number;
  /** The average rate at which a caller has to send or take bytes. A slower one is cut off in the end. */
  readonly leastBytesPerSecond: number;
}

/**
 * Bounds how long the gateway waits for one caller within a body. Silence uses the remaining time up. Each byte that moves adds the
 * time that it takes at the least rate, up to the longest silence. So the wait for a body of n bytes is at most the longest silence
 * plus the time of n bytes at the least rate, however its bytes are spread.
 */
export class Patience {
  readonly #bounds: PatienceBounds;
  #leftMs: number;

  constructor(bounds: PatienceBounds) {
    this.#bounds = bounds;
    this.#leftMs = bounds.timeoutMs;
  }

  /**
   * Waits from now on, and calls `over` when the remaining time is used up. `bytes` that move unseen meanwhile add their time.
   * Returns the function that ends the wait.
   */
  wait(over: () => void, bytes = 0): () => void {
    const sinceMs = performance.now();
    const timer = setTimeout(over, this.#leftMs + this.#timeOf(bytes));
    return () => {
      clearTimeout(timer);
      this.#leftMs = Math.max(this.#leftMs - (performance.now() - sinceMs), 0);
    };
  }

  /** `bytes` were received from the caller, or taken by it. */
  moved(bytes: number): void {
    this.#leftMs = Math.min(this.#leftMs + this.#timeOf(bytes), this.#bounds.timeoutMs);
  }

  #timeOf(bytes: number): number {
    return (bytes * 1_000) / this.#bounds.leastBytesPerSecond;
  }
}

export interface TransferTimeoutBounds {
  /** How long a caller may send and read nothing, real time. */
  readonly timeoutMs: number;
  /** The average rate at which a caller has to send or read bytes. */
  readonly leastBytesPerSecond: number;
}

/**
 * Bounds how long the gateway waits for one caller within a body: for n bytes at most `timeoutMs` plus n bytes at
 * `leastBytesPerSecond`. A wait uses the remaining time up. Each byte adds its time at the least rate, up to `timeoutMs`.
 */
export class TransferTimeout {
  readonly #bounds: TransferTimeoutBounds;
  #leftMs: number;

  constructor(bounds: TransferTimeoutBounds) {
    this.#bounds = bounds;
    this.#leftMs = bounds.timeoutMs;
  }

  /**
   * Calls `over` when the remaining time is used up, to which `bytes` that are on their way add theirs. Returns the function that
   * ends the wait.
   */
  wait(over: () => void, bytes = 0): () => void {
    const sinceMs = performance.now();
    const timer = setTimeout(over, this.#leftMs + this.#timeOf(bytes));
    return () => {
      clearTimeout(timer);
      this.#leftMs = Math.max(this.#leftMs - (performance.now() - sinceMs), 0);
    };
  }

  /** The caller has sent or read `bytes`. */
  moved(bytes: number): void {
    this.#leftMs = Math.min(this.#leftMs + this.#timeOf(bytes), this.#bounds.timeoutMs);
  }

  #timeOf(bytes: number): number {
    return (bytes * 1_000) / this.#bounds.leastBytesPerSecond;
  }
}

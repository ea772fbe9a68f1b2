export interface PatienceBounds {
  /** How long a caller may neither send nor take anything, real time. */
  readonly timeoutMs: number;
  /** What a caller has to send or take in the long run; below it they lose patience of ours bit by bit. */
  readonly leastBytesPerSecond: number;
}

/**
 * How long one caller is waited for in the middle of a body: silence uses patience up, and bytes that come or go give it
 * back, as much as they may take, up to the longest silence. So a body of n bytes is waited for at most the longest silence
 * and n bytes' time at the least rate, however its bytes are spread.
 */
export class Patience {
  readonly #bounds: PatienceBounds;
  #leftMs: number;

  constructor(bounds: PatienceBounds) {
    this.#bounds = bounds;
    this.#leftMs = bounds.timeoutMs;
  }

  /** Waits from now on, and calls `over` once patience is at its end. The answer ends the wait. */
  wait(over: () => void): () => void {
    const sinceMs = performance.now();
    const timer = setTimeout(over, this.#leftMs);
    return () => {
      clearTimeout(timer);
      this.#leftMs = Math.max(this.#leftMs - (performance.now() - sinceMs), 0);
    };
  }

  /** So many bytes came, or were taken. */
  moved(bytes: number): void {
    const { timeoutMs, leastBytesPerSecond } = this.#bounds;
    this.#leftMs = Math.min(this.#leftMs + (bytes * 1_000) / leastBytesPerSecond, timeoutMs);
  }
}

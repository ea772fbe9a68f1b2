/**
 * How many records a slice has. Each failure halves it, down to one; each success doubles it, up to `most`. Without
 * that, a slice that takes longer than its transaction may last would fail for ever.
 */
export class SliceSize {
  readonly #most: number;
  #size: number;

  /** `most` is 1 or more. */
  constructor(most: number) {
    this.#most = most;
    this.#size = most;
  }

  get size(): number {
    return this.#size;
  }

  succeeded(): void {
    this.#size = Math.min(this.#most, this.#size * 2);
  }

  /** `tried` is how many records the failed slice had, which may be fewer than the size. */
  failed(tried: number): void {
    this.#size = Math.max(1, Math.floor(Math.min(tried, this.#size) / 2));
  }
}

/**
 * How many records to settle together: half as many after each trouble, down to one, and twice as many after each success, up
 * to the most. What takes longer than a handler may take would otherwise come again as it was, for ever.
 */
export class Portion {
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

  settled(): void {
    this.#size = Math.min(this.#most, this.#size * 2);
  }

  /** `tried` is how many there were, which may be fewer than could have been. */
  failed(tried: number): void {
    this.#size = Math.max(1, Math.floor(Math.min(tried, this.#size) / 2));
  }
}

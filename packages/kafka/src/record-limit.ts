/**
 * How many records of a partition are processed together. Each failure halves the number, down to one; each success doubles it, up to
 * `max`. Without that, records that take longer together than a transaction may last would fail for ever.
 */
export class RecordLimit {
  readonly #max: number;
  #current: number;

  /** `max` is 1 or more. */
  constructor(max: number) {
    this.#max = max;
    this.#current = max;
  }

  get current(): number {
    return this.#current;
  }

  succeeded(): void {
    this.#current = Math.min(this.#max, this.#current * 2);
  }

  /** `tried` is how many records were processed and failed, which may be fewer than the limit. */
  failed(tried: number): void {
    this.#current = Math.max(1, Math.floor(Math.min(tried, this.#current) / 2));
  }
}

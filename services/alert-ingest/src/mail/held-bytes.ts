/** Counts what is held of mails that are coming in, so that many large ones at once do not take all memory. */
export class HeldBytes {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether `bytes` more are held from now on; false where that would be too many. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Allows `burst` takes at once, and then one in every `everyMs`. */
export class TokenBucket {
  readonly #burst: number;
  readonly #everyMs: number;
  #tokens: number;
  #countedAtMs: number;

  /** `nowMs` here and in `take` is of the same monotonic clock. */
  constructor({ burst, everyMs, nowMs }: { readonly burst: number; readonly everyMs: number; readonly nowMs: number }) {
    this.#burst = burst;
    this.#everyMs = everyMs;
    this.#tokens = burst;
    this.#countedAtMs = nowMs;
  }

  /** Takes a token, and returns how many milliseconds the caller should wait for it, 0 or more. */
  take(nowMs: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#countedAtMs) / this.#everyMs) - 1;
    this.#countedAtMs = nowMs;
    return Math.max(0, -this.#tokens * this.#everyMs);
  }
}

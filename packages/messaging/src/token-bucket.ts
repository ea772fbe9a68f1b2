/** Lets `burst` takes follow each other at once, and then one in every `everyMs`. */
export class TokenBucket {
  readonly #burst: number;
  readonly #everyMs: number;
  #tokens: number;
  #countedAtMs: number;

  /** `nowMs` is any clock of real time that does not go back; every other call is given the same one. */
  constructor({ burst, everyMs, nowMs }: { readonly burst: number; readonly everyMs: number; readonly nowMs: number }) {
    this.#burst = burst;
    this.#everyMs = everyMs;
    this.#tokens = burst;
    this.#countedAtMs = nowMs;
  }

  /** Takes a token now, and answers how long to wait before the next, in milliseconds; 0 or more. */
  take(nowMs: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#countedAtMs) / this.#everyMs) - 1;
    this.#countedAtMs = nowMs;
    return Math.max(0, -this.#tokens * this.#everyMs);
  }
}

export interface Rate {
  /** Tokens that a bucket regains in a second. */
  readonly perSecond: number;
  /** Tokens in a full bucket, 1 or more. */
  readonly burst: number;
}

/** Default for the number of remembered holders. Beyond it, the holder that took a token longest ago is forgotten. */
const MAX_HOLDERS = 100_000;
/** Units in a token. A bucket regains `perSecond` units in each millisecond, so all sums of whole rates are whole numbers. */
const TOKEN = 1_000;

/**
 * A token bucket for each holder, full at first. In any span of time a holder gets at most `burst` tokens plus `perSecond` for
 * each second, and is refused only when one more would exceed that (F6).
 *
 * Only holders whose bucket may not be full are remembered. No timer is needed to forget the others.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #maxHolders: number;
  /** When each bucket is full again: milliseconds times `perSecond`. The holder that took a token longest ago is the first. */
  readonly #fullAt = new Map<string, number>();

  constructor(rate: Rate, maxHolders: number = MAX_HOLDERS) {
    this.#rate = rate;
    this.#maxHolders = maxHolders;
  }

  /** How many holders are remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Takes a token, and returns 0. Where there is none, returns after how many milliseconds (1 or more) there
   * will be one.
   *
   * @param holder of the bucket
   * @param nowMs of a monotonic clock, here and below; that of the process by default
   */
  take(holder: string, nowMs = performance.now()): number {
    const now = this.#at(nowMs);
    this.#forgetFull(now);
    const fullAt = this.#fullAfterOneMore(holder, now);
    const tooMuch = this.#tooMuch(fullAt, now);
    if (tooMuch > 0) return Math.ceil(tooMuch / this.#rate.perSecond);
    this.#set(holder, fullAt);
    return 0;
  }

  /**
   * Takes a token in advance where there is none, and returns after how many milliseconds the caller may use it, 0 or more. Later
   * callers wait for longer, in their order.
   */
  reserve(holder: string, nowMs = performance.now()): number {
    const now = this.#at(nowMs);
    this.#forgetFull(now);
    const fullAt = this.#fullAfterOneMore(holder, now);
    this.#set(holder, fullAt);
    return Math.max(0, Math.ceil(this.#tooMuch(fullAt, now) / this.#rate.perSecond));
  }

  /**
   * Takes tokens for finished work, even when there are fewer. The bucket can go below zero, by at most its size; `take` then
   * finds a token only after the bucket has refilled above zero.
   */
  charge(holder: string, nowMs: number, tokens: number): void {
    const now = this.#at(nowMs);
    const fullAt = this.#fullAfterOneMore(holder, now, tokens);
    this.#set(holder, Math.min(fullAt, now + 2 * this.#rate.burst * TOKEN));
  }

  /** Whether `take` would find a token. */
  hasToken(holder: string, nowMs = performance.now()): boolean {
    const now = this.#at(nowMs);
    return this.#tooMuch(this.#fullAfterOneMore(holder, now), now) <= 0;
  }

  /** How many tokens are in the bucket. */
  tokens(holder: string, nowMs = performance.now()): number {
    const now = this.#at(nowMs);
    const lacking = Math.max(0, (this.#fullAt.get(holder) ?? 0) - now);
    return Math.max(0, Math.floor(this.#rate.burst - lacking / TOKEN));
  }

  /** Returns a token that was taken and not used. */
  giveBack(holder: string): void {
    const fullAt = this.#fullAt.get(holder);
    if (fullAt !== undefined) this.#fullAt.set(holder, fullAt - TOKEN);
  }

  #set(holder: string, fullAt: number): void {
    this.#fullAt.delete(holder);
    this.#fullAt.set(holder, fullAt);
    this.#keepToBound();
  }

  #at(nowMs: number): number {
    return Math.floor(nowMs) * this.#rate.perSecond;
  }

  #fullAfterOneMore(holder: string, now: number, tokens = 1): number {
    return Math.max(this.#fullAt.get(holder) ?? 0, now) + Math.ceil(TOKEN * tokens);
  }

  /** How many units a bucket that is full at `fullAt` would be overdrawn by; 0 or less where it is not. */
  #tooMuch(fullAt: number, now: number): number {
    return fullAt - now - this.#rate.burst * TOKEN;
  }

  /** Forgets full buckets up to the first one that is not full. Full ones after it are forgotten later. */
  #forgetFull(now: number): void {
    for (const [holder, fullAt] of this.#fullAt) {
      if (fullAt > now) return;
      this.#fullAt.delete(holder);
    }
  }

  #keepToBound(): void {
    for (const holder of this.#fullAt.keys()) {
      if (this.#fullAt.size <= this.#maxHolders) return;
      this.#fullAt.delete(holder);
    }
  }
}

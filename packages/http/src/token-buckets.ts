/** How many tokens a bucket regains in a second, and how many it holds when it is full, 1 or more. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** More holders than this are not remembered unless another number is given: the one who took a token longest ago is forgotten. */
const MOST_HOLDERS = 100_000;
/** What one token is. A bucket regains `perSecond` of these in each millisecond, so all sums of whole rates are of whole numbers. */
const TOKEN = 1_000;

/**
 * A token bucket for each holder, full at first. In any stretch of time a holder gets at most `burst` tokens and `perSecond` for
 * each of its seconds, and is refused only where one more would be more than that (F1).
 *
 * Only holders whose bucket may not be full are remembered, and no timer is needed to forget one.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #most: number;
  /** When each bucket is full again: milliseconds times `perSecond`. Whoever took a token longest ago stands first. */
  readonly #fullAt = new Map<string, number>();

  constructor(rate: Rate, most: number = MOST_HOLDERS) {
    this.#rate = rate;
    this.#most = most;
  }

  /** How many holders are remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Takes a token, or a part of one. 0 where there was one; else it changes nothing and says in how many milliseconds, at least 1,
   * there will be one, if nobody else takes it.
   *
   * @param holder whose bucket it is
   * @param nowMs of a clock that only goes forward
   * @param part of a token, more than 0; a thousandth is the least that counts
   */
  take(holder: string, nowMs: number, part = 1): number {
    const now = this.#at(nowMs);
    this.#forgetFull(now);
    const fullAt = this.#fullAfterOneMore(holder, now, part);
    const tooMuch = this.#tooMuch(fullAt, now);
    if (tooMuch > 0) return Math.ceil(tooMuch / this.#rate.perSecond);
    this.#fullAt.delete(holder);
    this.#fullAt.set(holder, fullAt);
    this.#keepToBound();
    return 0;
  }

  /** Whether `take` would find a token; nothing is taken. */
  hasRoom(holder: string, nowMs: number): boolean {
    const now = this.#at(nowMs);
    return this.#tooMuch(this.#fullAfterOneMore(holder, now), now) <= 0;
  }

  /** How many tokens `take` would find now; nothing is taken. */
  tokens(holder: string, nowMs: number): number {
    const now = this.#at(nowMs);
    const lacking = Math.max(0, (this.#fullAt.get(holder) ?? 0) - now);
    return Math.max(0, Math.floor(this.#rate.burst - lacking / TOKEN));
  }

  /** Puts back a token that was taken and not used. */
  giveBack(holder: string): void {
    const fullAt = this.#fullAt.get(holder);
    if (fullAt !== undefined) this.#fullAt.set(holder, fullAt - TOKEN);
  }

  #at(nowMs: number): number {
    return Math.floor(nowMs) * this.#rate.perSecond;
  }

  #fullAfterOneMore(holder: string, now: number, part = 1): number {
    return Math.max(this.#fullAt.get(holder) ?? 0, now) + Math.ceil(TOKEN * part);
  }

  /** What lacks in a bucket that is full at `fullAt`, beyond all that it holds. */
  #tooMuch(fullAt: number, now: number): number {
    return fullAt - now - this.#rate.burst * TOKEN;
  }

  /** Whoever stands behind a bucket that is not full may have a full one too: it is found when those in front of it are gone. */
  #forgetFull(now: number): void {
    for (const [holder, fullAt] of this.#fullAt) {
      if (fullAt > now) return;
      this.#fullAt.delete(holder);
    }
  }

  #keepToBound(): void {
    for (const holder of this.#fullAt.keys()) {
      if (this.#fullAt.size <= this.#most) return;
      this.#fullAt.delete(holder);
    }
  }
}

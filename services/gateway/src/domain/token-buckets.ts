/** How many tokens a bucket regains in a second, a whole number, and how many it holds when it is full, no fewer. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** More holders than this are not remembered: the one who took a token longest ago has a full bucket then. */
const MAX_HOLDERS = 100_000;
/** What one token is. A bucket regains `perSecond` of these in each millisecond, so all sums are of whole numbers. */
const TOKEN = 1_000;

/**
 * A token bucket for each holder, full at first. In any stretch of time a holder gets at most `burst` tokens and `perSecond` for
 * each of its seconds, and is refused only where one more would be more than that (F1).
 *
 * Only holders whose bucket may not be full are remembered, and no timer is needed to forget one.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  /** When each bucket is full again: milliseconds times `perSecond`. Whoever took a token longest ago stands first. */
  readonly #fullAt = new Map<string, number>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** How many holders are remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Takes a token. 0 where there was one; else it changes nothing and says in how many milliseconds, at least 1, there will be
   * one, if nobody else takes it.
   *
   * @param holder whose bucket it is
   * @param nowMs of a clock that only goes forward
   */
  take(holder: string, nowMs: number): number {
    const { perSecond, burst } = this.#rate;
    const now = Math.floor(nowMs) * perSecond;
    this.#forget(now);
    const fullAt = Math.max(this.#fullAt.get(holder) ?? 0, now) + TOKEN;
    const tooMuch = fullAt - now - burst * TOKEN;
    if (tooMuch > 0) return Math.ceil(tooMuch / perSecond);
    this.#fullAt.delete(holder);
    this.#fullAt.set(holder, fullAt);
    return 0;
  }

  /** Puts back a token that was taken and not used. */
  giveBack(holder: string): void {
    const fullAt = this.#fullAt.get(holder);
    if (fullAt !== undefined) this.#fullAt.set(holder, fullAt - TOKEN);
  }

  /** Whoever stands behind a full bucket may have a full one too: it is found when those in front of it are gone. */
  #forget(now: number): void {
    for (const [holder, fullAt] of this.#fullAt) {
      if (fullAt > now && this.#fullAt.size <= MAX_HOLDERS) return;
      this.#fullAt.delete(holder);
    }
  }
}

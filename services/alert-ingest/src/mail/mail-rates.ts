/** A bucket of tokens: so many at once, and so many more each second. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Buckets kept; those that are full again are let go first, and all where that is not enough. */
const MOST_BUCKETS = 10_000;

/** Counts by name what somebody does, in real time, within a bound of memory. */
export class MailRates {
  readonly #rate: Rate;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, nowMs: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#nowMs = nowMs;
  }

  /** Whether one more may be done under the name; if so, it counts. */
  take(name: string): boolean {
    const bucket = this.#bucket(name);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Whether `take` would say so; nothing counts. */
  hasRoom(name: string): boolean {
    return this.#bucket(name).tokens >= 1;
  }

  #bucket(name: string): Bucket {
    const now = this.#nowMs();
    const known = this.#buckets.get(name);
    if (known !== undefined) {
      known.tokens = this.#tokensAt(known, now);
      known.at = now;
      return known;
    }
    if (this.#buckets.size >= MOST_BUCKETS) this.#letGo(now);
    const made = { tokens: this.#rate.burst, at: now };
    this.#buckets.set(name, made);
    return made;
  }

  #letGo(now: number): void {
    for (const [name, bucket] of this.#buckets)
      if (this.#tokensAt(bucket, now) >= this.#rate.burst) this.#buckets.delete(name);
    if (this.#buckets.size >= MOST_BUCKETS) this.#buckets.clear();
  }

  #tokensAt({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#rate.burst, tokens + ((now - at) / 1_000) * this.#rate.perSecond);
  }
}

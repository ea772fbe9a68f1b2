import { type Rate, TokenBuckets } from '@tocsin/clock';

/** Names that are remembered. */
const MOST_NAMES = 10_000;

/** Counts by name what somebody does, in real time, within a bound of memory. */
export class MailRates {
  readonly #buckets: TokenBuckets;
  readonly #nowMs: () => number;

  constructor(rate: Rate, nowMs: () => number = () => performance.now()) {
    this.#buckets = new TokenBuckets(rate, MOST_NAMES);
    this.#nowMs = nowMs;
  }

  /** Whether one more may be done under the name; if so, it counts. */
  take(name: string): boolean {
    return this.#buckets.take(name, this.#nowMs()) === 0;
  }

  /** Whether `take` would say so; nothing counts. */
  hasRoom(name: string): boolean {
    return this.#buckets.hasRoom(name, this.#nowMs());
  }
}

import { ThrottledError, withoutStack, type ThrottledReason, TokenBuckets } from '@tocsin/core';
import type { Rate } from './request-limits.ts';

export interface RateLimitOptions {
  /** In the metrics. */
  readonly name: string;
  readonly rate: Rate | 'off';
  /** The name of a holder in the answer of a refusal. */
  readonly reason: ThrottledReason;
  /** Milliseconds that only count up: a change of the wall clock must not lock callers out. */
  readonly now: () => number;
  /** Called for each refusal. */
  readonly onRefused: (name: string) => void;
}

/** The text that clients know (wire facts 1.3). */
const TOO_MANY = 'You are making too many requests!';
const PERIOD_SECONDS = 1;

/** One rate limit with a token bucket for each holder (F6). */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #buckets: TokenBuckets | undefined;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    if (options.rate !== 'off') this.#buckets = new TokenBuckets(options.rate);
  }

  /** @throws ThrottledError, which says when to try again, where `holder` has no token left. */
  spend(holder: string): void {
    this.#refuse(this.#buckets?.take(holder, this.#options.now()) ?? 0);
  }

  /** Takes no token. @throws ThrottledError as {@link spend}. */
  check(holder: string): void {
    const now = this.#options.now();
    if (this.#buckets?.hasToken(holder, now) === false) this.#refuse(this.#buckets.take(holder, now));
  }

  /** Takes tokens for work that is done, also where there are fewer. */
  charge(holder: string, tokens: number): void {
    if (tokens > 0) this.#buckets?.charge(holder, this.#options.now(), tokens);
  }

  #refuse(waitMs: number): void {
    const { name, reason, onRefused } = this.#options;
    if (waitMs === 0) return;
    onRefused(name);
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    throw withoutStack(
      () => new ThrottledError(TOO_MANY, { reason, periodSeconds: PERIOD_SECONDS, retryAfterSeconds }),
    );
  }

  /** Returns a token that was spent on a request that does not count. */
  giveBack(holder: string): void {
    this.#buckets?.giveBack(holder);
  }
}

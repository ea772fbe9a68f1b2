import { ThrottledError, withoutStack, type ThrottledReason } from '@tocsin/errors';
import { TokenBuckets } from '@tocsin/clock';
import type { Rate } from '../domain/request-limits.ts';

export interface RateLimitOptions {
  /** As the metrics name it. */
  readonly name: string;
  readonly rate: Rate | 'off';
  /** Whose rate it is. */
  readonly reason: ThrottledReason;
  /** Milliseconds of real time that only go forward: a clock that is set must lock nobody out. */
  readonly now: () => number;
  /** Called for each refusal. */
  readonly onRefused: (name: string) => void;
}

/** In the words that clients know (wire facts 1.3). */
const TOO_MANY = 'You are making too many requests!';
/** Rates are so many a second. */
const PERIOD_SECONDS = 1;

/** One limit of rate: each holder has a token bucket of its own in it (F1). */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #buckets: TokenBuckets | undefined;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    if (options.rate !== 'off') this.#buckets = new TokenBuckets(options.rate);
  }

  /** @throws ThrottledError, which says when to try again, where `holder` has no token left. Nothing waits. */
  spend(holder: string): void {
    this.#refuse(this.#buckets?.take(holder, this.#options.now()) ?? 0);
  }

  /** @throws ThrottledError as {@link spend}, and takes nothing. */
  check(holder: string): void {
    const now = this.#options.now();
    if (this.#buckets?.hasRoom(holder, now) === false) this.#refuse(this.#buckets.take(holder, now));
  }

  /** Takes tokens for finished work, even when there are fewer. */
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

  /** Gives back what was spent on something that does not count after all. */
  giveBack(holder: string): void {
    this.#buckets?.giveBack(holder);
  }
}

import { TokenBuckets } from '@tocsin/clock';
import type { ReplyLimits } from '../../ports/reply-limits.ts';

/** 10 replies a minute, and 20 at once: one text message lists up to 15 alerts, and each may be answered. */
const REPLIES = { perSecond: 10 / 60, burst: 20 };
/** A machine that answers everything is not answered for ever. */
const HINTS = { perSecond: 1 / 600, burst: 2 };
/** Numbers that are remembered; who replied longest ago is forgotten. */
const MOST_NUMBERS = 10_000;

/** Limits for each number, in this process. */
export class NumberLimits implements ReplyLimits {
  readonly #replies = new TokenBuckets(REPLIES, MOST_NUMBERS);
  readonly #hints = new TokenBuckets(HINTS, MOST_NUMBERS);
  readonly #now: () => number;

  /** @param now milliseconds of a clock that is never set back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  mayReply(number: string): boolean {
    return this.#replies.take(number, this.#now()) === 0;
  }

  mayBeTold(number: string): boolean {
    return this.#hints.take(number, this.#now()) === 0;
  }
}

import { TokenBuckets } from '@tocsin/core';

/** 10 replies a minute, and 20 at once: one text message lists up to 15 alerts, and each may be answered. */
const REPLIES = { perSecond: 10 / 60, burst: 20 };
/** An automatic responder, which replies to every message, does not get a hint each time. */
const HINTS = { perSecond: 1 / 600, burst: 2 };
/** Numbers that are remembered; the one that replied longest ago is forgotten first. */
const MAX_NUMBERS = 10_000;

/** Limits for each number, in this process. */
export class NumberLimits {
  readonly #replies = new TokenBuckets(REPLIES, MAX_NUMBERS);
  readonly #hints = new TokenBuckets(HINTS, MAX_NUMBERS);
  readonly #now: () => number;

  /** @param now milliseconds of a clock that is never set back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether one more reply of the number is read. */
  mayReply(number: string): boolean {
    return this.#replies.take(number, this.#now()) === 0;
  }

  /** Whether the number gets one more hint how to reply. */
  mayGetHint(number: string): boolean {
    return this.#hints.take(number, this.#now()) === 0;
  }
}

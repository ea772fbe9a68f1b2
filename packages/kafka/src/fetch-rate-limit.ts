import { TokenBuckets } from '@tocsin/core';

/** Fetches allowed before the rate limit applies. */
const BURST = 8;

/**
 * Limits how often the client fetches from each broker, so that a steady stream is processed in larger batches. A fetch takes one
 * token, however many partitions it brings: the client fetches from that broker again once all of them are done.
 */
export class FetchRateLimit {
  readonly #buckets: TokenBuckets;
  #nodeId = 0;
  #isFirst = true;

  /** Beyond the burst, one fetch from each broker in `everyMs`. */
  constructor(everyMs: number) {
    this.#buckets = new TokenBuckets({ perSecond: 1_000 / everyMs, burst: BURST });
  }

  /**
   * The batches that begin from now on came in one fetch from the broker `nodeId`. A batch of an earlier fetch that begins late
   * may be counted as the first of them, which costs one token at most.
   */
  fetched(nodeId: number): void {
    this.#nodeId = nodeId;
    this.#isFirst = true;
  }

  /**
   * When a batch that begins at `nowMs` may end, by the same monotonic clock. Only the first batch of a fetch is delayed, which
   * delays the next fetch; the other partitions go on.
   */
  mayEndAt(nowMs: number): number {
    if (!this.#isFirst) return nowMs;
    this.#isFirst = false;
    return nowMs + this.#buckets.reserve(String(this.#nodeId), nowMs);
  }
}

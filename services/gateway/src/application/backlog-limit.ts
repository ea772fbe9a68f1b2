import type { BacklogState } from '@tocsin/contracts';
import { UnavailableError, withoutStack } from '@tocsin/errors';
import { TokenBuckets } from '@tocsin/clock';
import type { Rate } from '../domain/request-limits.ts';

export interface BacklogLimitOptions {
  /** How many writes of alerts a key may send while alerts wait. */
  readonly rate: Rate | 'off';
  /** Milliseconds of real time that only go forward. */
  readonly now: () => number;
  /** Called for each refusal. */
  readonly onRefused: (name: string) => void;
}

interface Heard extends BacklogState {
  readonly heardAtMs: number;
}

const WAITING = 'Too many alerts wait to be processed. Please try again.';
/** Milliseconds: the ages at the slowest partition of each consumer, added up. Pages are to be told within 2 s at p99. */
const TOO_LONG_MS = 400;
/** Records of all consumers. Fewer may wait for long where the database is slow; all that come are processed then. */
const TOO_MANY = 200;
/**
 * After a backlog the rate of each key grows for this long, and then ends. Lifted at once, it would let the flood back in
 * (0074).
 */
const RECOVERY_MS = 10_000;
/** Older reports do not count: their consumer may be stuck or gone. */
const FRESH_MS = 2_000;

/**
 * Holds each key to a small rate of writes while what is accepted waits for too long to be processed (F3). So those who
 * flood the installation are refused, and the alerts of everybody else do not wait behind theirs.
 */
export class BacklogLimit {
  readonly #options: BacklogLimitOptions;
  readonly #buckets: TokenBuckets | undefined;
  readonly #heard = new Map<string, Heard>();
  /** When alerts waited for too long last. */
  #behindAtMs = -Infinity;

  constructor(options: BacklogLimitOptions) {
    this.#options = options;
    if (options.rate !== 'off') this.#buckets = new TokenBuckets(options.rate);
  }

  /** Takes what a consumer tells of the partition `id`. */
  heard(id: string, backlog: BacklogState): void {
    this.#heard.set(id, { ...backlog, heardAtMs: this.#options.now() });
  }

  /**
   * Counts a write of the key of `holder`.
   *
   * @throws UnavailableError where alerts wait for too long and the key has sent more than its rate of late.
   */
  spend(holder: string): void {
    const { now, onRefused } = this.#options;
    const times = this.#rateFactor();
    const isWithinRate = (this.#buckets?.take(holder, now(), 1 / (times ?? 1)) ?? 0) === 0;
    if (isWithinRate || times === undefined) return;
    onRefused('backlog');
    throw withoutStack(() => new UnavailableError(WAITING));
  }

  /** What the rate is multiplied by: 1 while alerts wait, then 1 more each second. Undefined once nobody is held to it. */
  #rateFactor(): number | undefined {
    const now = this.#options.now();
    if (this.#waitTooLong(now)) this.#behindAtMs = now;
    const sinceMs = now - this.#behindAtMs;
    return sinceMs < RECOVERY_MS ? 1 + sinceMs / 1_000 : undefined;
  }

  /** An alert waits at one consumer after the other, at each as long as at its slowest partition. */
  #waitTooLong(now: number): boolean {
    const longest = new Map<string, number>();
    let waiting = 0;
    for (const { ageMs, consumer, heardAtMs, records } of this.#heard.values()) {
      if (heardAtMs < now - FRESH_MS) continue;
      waiting += records;
      longest.set(consumer, Math.max(ageMs, longest.get(consumer) ?? 0));
    }
    const waitMs = [...longest.values()].reduce((sum, ageMs) => sum + ageMs, 0);
    return waitMs > TOO_LONG_MS && waiting >= TOO_MANY;
  }
}

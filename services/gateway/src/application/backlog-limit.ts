import type { BacklogState } from '@tocsin/contracts';
import { UnavailableError, withoutStack } from '@tocsin/errors';
import { TokenBuckets } from '@tocsin/http';
import type { Rate } from '../domain/request-limits.ts';

export interface BacklogLimitOptions {
  /** What a key may send while alerts wait. */
  readonly rate: Rate | 'off';
  /** Milliseconds of real time that only go forward. */
  readonly now: () => number;
  /** Called for each refusal. */
  readonly onRefused: (name: string) => void;
}

interface Heard extends BacklogState {
  readonly heardAtMs: number;
}

/** An alert is refused because others wait, and its key sends many: 503. */
export class BacklogError extends UnavailableError {}

const WAITING = 'Too many alerts wait to be processed. Please try again.';
/** Alerts wait for too long once it takes this long until they are processed, from one consumer to the next, … */
const TOO_LONG_MS = 400;
/** … and so many wait: where few do, each takes its time, but all that come are processed. */
const TOO_MANY = 200;
/** When alerts wait no more, the rate grows by itself each second, and so long later nobody is held: at once, all would come again. */
const EASED_MS = 10_000;
/** What a consumer told longer ago than this says nothing about now: it may have come to a stand, or be gone. */
const FRESH_MS = 2_000;

/**
 * Holds each key to a small rate of new alerts while what is accepted waits for too long to be processed (F3). So those who
 * flood the installation are refused, and the alerts of everybody else do not wait behind theirs.
 */
export class BacklogLimit {
  readonly #options: BacklogLimitOptions;
  readonly #buckets: TokenBuckets | undefined;
  readonly #heard = new Map<string, Heard>();
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
   * Counts a new alert of the key of `holder`.
   *
   * @throws BacklogError where alerts wait for too long and the key has sent more than its rate of late.
   */
  spend(holder: string): void {
    const { now, onRefused } = this.#options;
    const times = this.#timesTheRate();
    const isWithinRate = (this.#buckets?.take(holder, now(), 1 / (times ?? 1)) ?? 0) === 0;
    if (isWithinRate || times === undefined) return;
    onRefused('backlog');
    throw withoutStack(() => new BacklogError(WAITING));
  }

  /** By what the rate is multiplied now; undefined where nobody is held to it. */
  #timesTheRate(): number | undefined {
    const now = this.#options.now();
    if (this.#isBehind(now)) this.#behindAtMs = now;
    const sinceMs = now - this.#behindAtMs;
    return sinceMs < EASED_MS ? 1 + sinceMs / 1_000 : undefined;
  }

  /** An alert waits at one consumer after the other, at each as long as at its slowest partition. */
  #isBehind(now: number): boolean {
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

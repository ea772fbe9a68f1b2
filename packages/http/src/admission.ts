import { UnavailableError, withoutStack } from '@tocsin/core';
import { FairLimit, type LimitResult, type ShareBounds } from './fair-limit.ts';

/** The kinds of things that callers share: requests, connections or bytes. */
export interface AdmissionBounds extends ShareBounds {
  /** Requests that wait for one of these at a time; a further one is refused at once. None wait by default. */
  readonly waiting?: ShareBounds;
  /** The longest wait of a request, real time. */
  readonly waitMs?: number;
}

const NONE: ShareBounds = { inAll: 0, each: 0 };

/** Begins a request that waits. */
type Begin = () => void;

/**
 * Bounds what callers have at a time: requests under way, connections, or bytes. The bound holds for all callers together and,
 * with a share, for each of them (F1). Requests may wait, a bounded number for a bounded time, and are then refused (F3).
 *
 * Waiting requests begin caller by caller: first one of each caller that has nothing, then one of each that has share left. Of
 * these, the caller goes first whose last request began or ended longest ago.
 */
export class Admission {
  readonly #waitMs: number;
  readonly #limit: FairLimit;
  readonly #places: FairLimit;
  /** By caller. A caller moves to the end when one of its requests begins or ends. */
  readonly #waiting = new Map<string, Set<Begin>>();

  constructor({ waiting = NONE, waitMs = 0, ...bounds }: AdmissionBounds) {
    this.#limit = new FairLimit(bounds);
    this.#places = new FairLimit(waiting);
    this.#waitMs = waitMs;
  }

  /** Whether a request of any caller would be refused at once. */
  get isFull(): boolean {
    return this.#limit.isFull && this.#places.isFull;
  }

  /** @throws UnavailableError where a request of `caller` would be refused at once. */
  check(caller: string): void {
    const result = this.#limit.resultFor(caller);
    if (result === 'granted') return;
    const place = this.#places.resultFor(caller);
    if (place !== 'granted') throw tooManyUnderWay(result === 'over-its-share' ? result : place);
  }

  /** Takes `amount` for `caller` without waiting, or nothing at all. */
  tryAcquire(caller: string, amount = 1): LimitResult {
    return this.#limit.tryAcquire(caller, amount);
  }

  /**
   * Resolves when a request may begin. Call `release` when it has ended.
   *
   * @throws UnavailableError at once where too many wait already, and after the longest wait: nothing was done.
   */
  async acquire(caller: string): Promise<void> {
    this.check(caller);
    if (this.tryAcquire(caller) !== 'granted') await this.#wait(caller);
  }

  /**
   * The result of `work`, which begins when the request is admitted.
   *
   * @throws as {@link acquire}, and what `work` throws.
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(caller);
    return this.#released(caller, work);
  }

  /** As {@link run}, without waiting. Returns undefined without running `work` where nothing is left for `caller`. */
  async tryRun<T>(caller: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.tryAcquire(caller) === 'granted' ? this.#released(caller, work) : undefined;
  }

  /** Returns `amount` of what `caller` has. Each waiting request begins whose caller has some share left now: it can grow by several. */
  release(caller: string, amount = 1): void {
    this.#limit.release(caller, amount);
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) this.#moveToEnd(caller, waiting);
    // A caller who comes now and then would time out behind those who always wait.
    this.#begin((next) => this.#limit.holdsNothing(next));
    this.#begin(() => true);
  }

  async #released<T>(caller: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.release(caller);
    }
  }

  #begin(isNext: (caller: string) => boolean): void {
    for (const [next, waiting] of this.#waiting) {
      if (this.#limit.isFull) return;
      const [begin] = waiting;
      if (begin === undefined || !isNext(next) || this.#limit.tryAcquire(next) !== 'granted') continue;
      begin();
      this.#moveToEnd(next, waiting);
    }
  }

  #moveToEnd(caller: string, waiting: Set<Begin>): void {
    this.#waiting.delete(caller);
    if (waiting.size > 0) this.#waiting.set(caller, waiting);
  }

  #wait(caller: string): Promise<void> {
    this.#places.tryAcquire(caller);
    const waiting = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, waiting);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#places.release(caller);
        waiting.delete(begin);
        if (waiting.size === 0) this.#waiting.delete(caller);
      };
      const begin = () => {
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(tooManyUnderWay(this.#limit.resultFor(caller)));
      }, this.#waitMs);
      waiting.add(begin);
    });
  }
}

/** The error for a `result` that is not `granted` (F3). */
export function tooManyUnderWay(result: LimitResult): UnavailableError {
  const whose = result === 'over-its-share' ? ' of this caller' : '';
  return withoutStack(() => new UnavailableError(`Too many requests${whose} are under way. Please try again.`));
}

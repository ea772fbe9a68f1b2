import { type ShareBounds, Shares, tooManyUnderWay } from './shares.ts';

export interface AdmissionBounds {
  /** Requests under way at a time. */
  readonly atOnce: ShareBounds;
  /** Requests that wait at a time; a further one is refused at once. */
  readonly waiting: ShareBounds;
  /** The longest wait of a request, real time. */
  readonly waitMs: number;
}

/** Begins a request that waits. */
type Enter = () => void;

/**
 * Bounds the requests that are under way, in all and for each caller. Others wait, a bounded number for a bounded time, and are
 * then refused (F3). Waiting requests begin caller by caller: in order of arrival one of each caller that has share left,
 * then the next one of each.
 */
export class Admission {
  readonly #waitMs: number;
  readonly #inside: Shares;
  readonly #places: Shares;
  /** By caller. The first caller is next, and moves to the end when one of its requests begins. */
  readonly #waiting = new Map<string, Set<Enter>>();

  constructor({ atOnce, waiting, waitMs }: AdmissionBounds) {
    this.#inside = new Shares(atOnce);
    this.#places = new Shares(waiting);
    this.#waitMs = waitMs;
  }

  /** Whether a request of any caller would be refused at once. */
  get isFull(): boolean {
    return this.#inside.isFull && this.#places.isFull;
  }

  /** @throws UnavailableError where `caller` would be refused at once. */
  check(caller: string): void {
    const inside = this.#inside.wouldBe(caller);
    if (inside === 'taken') return;
    const place = this.#places.wouldBe(caller);
    if (place !== 'taken') throw tooManyUnderWay(inside === 'over-its-share' ? inside : place);
  }

  /**
   * Resolves when the request may begin. Call `leave` when it has ended.
   *
   * @throws UnavailableError at once where too many wait already, and after the longest wait: nothing was done.
   */
  async enter(caller: string): Promise<void> {
    this.check(caller);
    if (this.#inside.take(caller) !== 'taken') await this.#turn(caller);
  }

  /**
   * What `work` returns, which begins when the request may.
   *
   * @throws as {@link enter}, and what `work` throws.
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.enter(caller);
    try {
      return await work();
    } finally {
      this.leave(caller);
    }
  }

  /** Ends a request. Each waiting one begins whose caller has some share left now: what is left for each can grow by several. */
  leave(caller: string): void {
    this.#inside.giveBack(caller);
    for (const [next, waiting] of this.#waiting) {
      if (this.#inside.isFull) return;
      const [enter] = waiting;
      if (enter === undefined || this.#inside.take(next) !== 'taken') continue;
      enter();
      this.#waiting.delete(next);
      if (waiting.size > 0) this.#waiting.set(next, waiting);
    }
  }

  #turn(caller: string): Promise<void> {
    this.#places.take(caller);
    const waiting = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, waiting);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(patience);
        this.#places.giveBack(caller);
        waiting.delete(enter);
        if (waiting.size === 0) this.#waiting.delete(caller);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const patience = setTimeout(() => {
        leave();
        reject(tooManyUnderWay(this.#inside.wouldBe(caller)));
      }, this.#waitMs);
      waiting.add(enter);
    });
  }
}

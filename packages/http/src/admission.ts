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
 * then refused (F3). Waiting requests begin caller by caller: first one of each caller that has none under way, then one of each
 * that has share left. Of these, the caller goes first whose last request began or ended longest ago.
 */
export class Admission {
  readonly #waitMs: number;
  readonly #inside: Shares;
  readonly #places: Shares;
  /** By caller. A caller moves to the end when one of its requests begins or ends. */
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
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) this.#moveToEnd(caller, waiting);
    // A caller who comes now and then would time out behind those who always wait.
    this.#admit((next) => this.#inside.holdsNothing(next));
    this.#admit(() => true);
  }

  #admit(isNext: (caller: string) => boolean): void {
    for (const [next, waiting] of this.#waiting) {
      if (this.#inside.isFull) return;
      const [enter] = waiting;
      if (enter === undefined || !isNext(next) || this.#inside.take(next) !== 'taken') continue;
      enter();
      this.#moveToEnd(next, waiting);
    }
  }

  #moveToEnd(caller: string, waiting: Set<Enter>): void {
    this.#waiting.delete(caller);
    if (waiting.size > 0) this.#waiting.set(caller, waiting);
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

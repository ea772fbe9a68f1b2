import { type ShareBounds, Shares, tooManyUnderWay } from '@tocsin/http';

export interface AdmissionBounds {
  /** So many may be inside at a time. */
  readonly atOnce: ShareBounds;
  /** So many may wait for their turn; a further one is refused at once. */
  readonly waiting: ShareBounds;
  /** How long each may wait, real time. */
  readonly waitMs: number;
}

interface Waiting {
  readonly caller: string;
  readonly enter: () => void;
}

/**
 * Lets a bounded number in at a time, and of each caller no more than their share. Others wait in the order in which they
 * came, a bounded number for a bounded time. Nobody is let in past one who waits, but for one whose own share is used up: what
 * cannot be done soon is refused soon (F3).
 */
export class Admission {
  readonly #waitMs: number;
  readonly #inside: Shares;
  readonly #places: Shares;
  readonly #waiting = new Set<Waiting>();

  constructor({ atOnce, waiting, waitMs }: AdmissionBounds) {
    this.#inside = new Shares(atOnce);
    this.#places = new Shares(waiting);
    this.#waitMs = waitMs;
  }

  /** Whether anybody would be refused at once. */
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
   * Resolves when the caller is inside; it says so when it leaves.
   *
   * @throws UnavailableError at once where too many wait already, and after the longest wait: nothing was done.
   */
  async enter(caller: string): Promise<void> {
    this.check(caller);
    if (this.#inside.take(caller) !== 'taken') await this.#turn(caller);
  }

  /** The next in line whose share allows it is let in. */
  leave(caller: string): void {
    this.#inside.giveBack(caller);
    for (const next of this.#waiting) {
      if (this.#inside.take(next.caller) !== 'taken') continue;
      next.enter();
      return;
    }
  }

  #turn(caller: string): Promise<void> {
    this.#places.take(caller);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(patience);
        this.#waiting.delete(waiting);
        this.#places.giveBack(caller);
      };
      const waiting: Waiting = {
        caller,
        enter: () => {
          leave();
          resolve();
        },
      };
      const patience = setTimeout(() => {
        leave();
        reject(tooManyUnderWay(this.#inside.wouldBe(caller)));
      }, this.#waitMs);
      this.#waiting.add(waiting);
    });
  }
}

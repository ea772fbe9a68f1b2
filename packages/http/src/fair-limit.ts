/** A bound in all, with the required share of each holder. */
export interface ShareBounds {
  /** Of all holders together. */
  readonly inAll: number;
  /** Of one of them, while no other holds anything. */
  readonly each: number;
  /** The amount that each holder may always hold if so much is left, but not over `each`: one piece of work. 1 by default. */
  readonly least?: number;
}

/** `inAll` together, and `percent` of it (1 to 100, rounded up) for each holder. */
export function shareOf(inAll: number, percent: number): ShareBounds {
  return { inAll, each: Math.ceil((inAll * percent) / 100) };
}

/** `granted`, or why not: the holder's share or the whole is used up. */
export type LimitResult = 'granted' | 'over-its-share' | 'full';

/**
 * Counts how much of a limited resource each holder has. A holder gets at most its share of what the others leave, so that two or
 * three that take all they can leave something to the next (F1). A holder may always have `least` wherever so much is left.
 */
export class FairLimit {
  readonly #bounds: ShareBounds;
  readonly #byHolder = new Map<string, number>();
  #inAll = 0;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  /** Whether nothing is left for any holder. */
  get isFull(): boolean {
    return this.#inAll >= this.#bounds.inAll;
  }

  holdsNothing(holder: string): boolean {
    return !this.#byHolder.has(holder);
  }

  /** The result that `tryAcquire` would have. */
  resultFor(holder: string, amount = 1): LimitResult {
    if (this.#inAll + amount > this.#bounds.inAll) return 'full';
    return this.#of(holder) + amount > this.#limitOf(holder) ? 'over-its-share' : 'granted';
  }

  /** Takes `amount` for `holder`, or nothing at all. */
  tryAcquire(holder: string, amount = 1): LimitResult {
    const result = this.resultFor(holder, amount);
    if (result === 'granted') this.#change(holder, amount);
    return result;
  }

  /** Returns `amount` of what `holder` has. */
  release(holder: string, amount = 1): void {
    this.#change(holder, -amount);
  }

  #limitOf(holder: string): number {
    const { each, inAll, least = 1 } = this.#bounds;
    const left = inAll - (this.#inAll - this.#of(holder));
    return Math.min(each, Math.max(least, Math.floor((each * left) / inAll)));
  }

  #change(holder: string, by: number): void {
    this.#inAll += by;
    const left = this.#of(holder) + by;
    // Holders of nothing are removed, so callers who come and go take no memory.
    if (left === 0) this.#byHolder.delete(holder);
    else this.#byHolder.set(holder, left);
  }

  #of(holder: string): number {
    return this.#byHolder.get(holder) ?? 0;
  }
}

import { UnavailableError } from '@tocsin/errors';

export interface ShareBounds {
  /** Of all holders together. */
  readonly inAll: number;
  /** Of any one of them. */
  readonly each: number;
}

/** So much in all, of which one holder may take so many hundredths, 1 to 100; at least 1, where there is any. */
export function shareOf(inAll: number, percent: number): ShareBounds {
  return { inAll, each: Math.ceil((inAll * percent) / 100) };
}

/** What became of a wish: granted, or what there was too little of, the holder's own share or the whole. */
export type Taking = 'taken' | 'over-its-share' | 'all-taken';

/**
 * Counts what is taken of something that all holders share: never more than there is, and nobody more than their share, so
 * that whoever takes all they can leaves the rest to others (F1).
 */
export class Shares {
  readonly #bounds: ShareBounds;
  readonly #byHolder = new Map<string, number>();
  #inAll = 0;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  /** Whether nobody would get anything now. */
  get isFull(): boolean {
    return this.#inAll >= this.#bounds.inAll;
  }

  /** What taking `amount` more would come to now. */
  wouldBe(holder: string, amount = 1): Taking {
    if (this.#inAll + amount > this.#bounds.inAll) return 'all-taken';
    return this.#of(holder) + amount > this.#bounds.each ? 'over-its-share' : 'taken';
  }

  /** Takes `amount` for `holder`, or nothing at all. */
  take(holder: string, amount = 1): Taking {
    const taking = this.wouldBe(holder, amount);
    if (taking === 'taken') this.#change(holder, amount);
    return taking;
  }

  /** Of what `holder` has taken, `amount` is free again. */
  giveBack(holder: string, amount = 1): void {
    this.#change(holder, -amount);
  }

  #change(holder: string, by: number): void {
    this.#inAll += by;
    const left = this.#of(holder) + by;
    // Whoever holds nothing is forgotten, so callers who come and go leave nothing behind.
    if (left === 0) this.#byHolder.delete(holder);
    else this.#byHolder.set(holder, left);
  }

  #of(holder: string): number {
    return this.#byHolder.get(holder) ?? 0;
  }
}

/**
 * The refusal of what there is too little of (F3). A storm hears it thousands of times a second: a stack would cost more than
 * all the rest of it.
 */
export function tooManyUnderWay(taking: Taking): UnavailableError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const whose = taking === 'over-its-share' ? ' of this caller' : '';
  const refusal = new UnavailableError(`Too many requests${whose} are under way. Please try again.`);
  Error.stackTraceLimit = stackTraceLimit;
  return refusal;
}

import type { UserCondition } from '@tocsin/api';

/** How many searches have their totals cached. */
const MAX_SEARCHES = 100;

export interface UserTotalsParts {
  /** Grows with every write that could change a total. */
  readonly revision: () => Promise<number>;
  readonly count: (conditions: readonly UserCondition[]) => Promise<number>;
}

/**
 * How many users there are for a search, as of a moment after the call. A count serves until the next write of any
 * configuration, by any process, so that a caller that reads the pages of 10 000 users does not have them counted for each page.
 */
export class UserTotals {
  readonly #parts: UserTotalsParts;
  readonly #counted = new Map<string, Promise<number>>();
  #asOf: number | undefined;

  constructor(parts: UserTotalsParts) {
    this.#parts = parts;
  }

  async of(conditions: readonly UserCondition[]): Promise<number> {
    // Read before the count: a write in between makes the next question count again.
    const revision = await this.#parts.revision();
    if (revision !== this.#asOf || this.#counted.size >= MAX_SEARCHES) this.#counted.clear();
    this.#asOf = revision;
    const search = JSON.stringify(conditions);
    const known = this.#counted.get(search);
    if (known !== undefined) return known;
    const counting = this.#parts.count(conditions);
    this.#counted.set(search, counting);
    counting.catch(() => {
      if (this.#counted.get(search) === counting) this.#counted.delete(search);
    });
    return counting;
  }
}

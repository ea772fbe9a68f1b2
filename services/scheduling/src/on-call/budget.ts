/** The most rotations that one answer evaluates and users that it lists: a rule may name a team of thousands, a thousand times. */
export const MAX_COST = 10_000;

/** The cost that all parts of an answer may have together, in rotations and users: meanwhile this process pages no user. */
export class Budget {
  #left: number;

  constructor(cost: number = MAX_COST) {
    this.#left = cost;
  }

  /** What is left; 0 or less when the budget is used up. */
  get left(): number {
    return this.#left;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  take(cost: number): void {
    this.#left -= cost;
  }
}

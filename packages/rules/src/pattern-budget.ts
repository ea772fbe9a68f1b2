import { MAX_WRITTEN_STEPS } from '@tocsin/contracts';

/** Twice what may be written: a character can be two units, and rules can be older than the bound. */
const STEPS = 2 * MAX_WRITTEN_STEPS;

/**
 * What the patterns of one integration, team or user may cost for one alert, in steps, never more than about 20 ms of one
 * processor (P3). Counted, not timed: the same rules say the same of an alert on every machine, however busy it is.
 */
export class PatternBudget {
  #left: number;

  constructor(steps: number = STEPS) {
    this.#left = steps;
  }

  /** From 0 to 1 of what one has. */
  static share(part: number): PatternBudget {
    return new PatternBudget(Math.floor(STEPS * part));
  }

  /** Whether there is room for so many steps, which are gone then; a smaller one may have room where a larger one had not. */
  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}

import { MAX_WRITTEN_STEPS } from '@tocsin/api';

/** Twice the limit of a pattern: a character can be two units. */
const STEPS = 2 * MAX_WRITTEN_STEPS;

/**
 * The most steps of the patterns of one integration, team or user for one alert: about 20 ms of one processor (P3). Steps are counted
 * and not timed, so that rules have the same result on every machine.
 */
export class PatternBudget {
  #left: number;
  readonly #whole: PatternBudget | undefined;

  /** Its costs also count in `whole`. */
  constructor(steps: number = STEPS, whole?: PatternBudget) {
    this.#left = steps;
    this.#whole = whole;
  }

  /** A part, or a multiple, of what one has. */
  static share(part: number): PatternBudget {
    return new PatternBudget(Math.floor(STEPS * part));
  }

  /** Takes so many steps, and returns whether there were as many. Where not, a smaller number may still be taken. */
  take(steps: number): boolean {
    if (steps > this.#left || this.#whole?.take(steps) === false) return false;
    this.#left -= steps;
    return true;
  }
}

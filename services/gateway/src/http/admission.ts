import { UnavailableError } from '@tocsin/errors';

export interface AdmissionBounds {
  /** So many may be inside at a time. */
  readonly atOnce: number;
  /** So many may wait for their turn; a further one is refused at once. */
  readonly waiting: number;
  /** How long each may wait, real time. */
  readonly waitMs: number;
}

/**
 * Lets a bounded number in at a time. Others wait in the order in which they came, a bounded number for a bounded time, and
 * nobody is let in past one who waits: what cannot be done soon is refused soon (F3).
 */
export class Admission {
  readonly #bounds: AdmissionBounds;
  readonly #waiting = new Set<() => void>();
  #inside = 0;

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds;
  }

  /** Whether the next one would be refused at once. */
  get isFull(): boolean {
    return this.#inside >= this.#bounds.atOnce && this.#waiting.size >= this.#bounds.waiting;
  }

  /**
   * Resolves when the caller is inside; it says so when it leaves.
   *
   * @throws UnavailableError at once where too many wait already, and after the longest wait: nothing was done.
   */
  async enter(): Promise<void> {
    if (this.isFull) throw tooManyUnderWay();
    if (this.#inside < this.#bounds.atOnce) this.#inside += 1;
    else await this.#turn();
  }

  /** The next in line is let in. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inside -= 1;
    else next();
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(patience);
        this.#waiting.delete(enter);
        resolve();
      };
      const patience = setTimeout(() => {
        this.#waiting.delete(enter);
        reject(tooManyUnderWay());
      }, this.#bounds.waitMs);
      this.#waiting.add(enter);
    });
  }
}

/** The refusal that a storm hears thousands of times a second: a stack would cost more than all the rest of it. */
export function tooManyUnderWay(): UnavailableError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const refusal = new UnavailableError('Too many requests are under way. Please try again.');
  Error.stackTraceLimit = stackTraceLimit;
  return refusal;
}

import { UnavailableError } from '@tocsin/errors';
import { AWAY } from './failures.ts';

/** One span of real time for all the steps of one piece of work. */
export class Deadline {
  readonly #at: number;
  readonly #passed: Promise<never>;
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#at = performance.now() + milliseconds;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#timer = setTimeout(() => {
      reject(new UnavailableError(AWAY));
    }, milliseconds);
    this.#passed = promise;
    // Nobody may be waiting when it passes.
    this.#passed.catch(() => undefined);
  }

  remainingMs(): number {
    return this.#at - performance.now();
  }

  /** `step`, or `UnavailableError` when the deadline passes first; what `step` does later is nobody's business any more. */
  async guard<T>(step: Promise<T>): Promise<T> {
    step.catch(() => undefined);
    return Promise.race([step, this.#passed]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

import { UnavailableError } from '@tocsin/errors';
import { AWAY } from './failures.ts';

/** One time limit for all steps of a piece of work, real time. */
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
    // No step may be running when it passes.
    this.#passed.catch(() => undefined);
  }

  remainingMs(): number {
    return this.#at - performance.now();
  }

  /** Settles as `step`, which goes on in any case. @throws UnavailableError when the deadline passes first. */
  guard<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#passed]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

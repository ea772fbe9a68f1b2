import { setTimeout as sleep } from 'node:timers/promises';

/** Two looks begin at least so far apart, however often one is asked for. */
const MIN_PAUSE_MS = 1_000;

type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

/**
 * Says when the next look is due: at the end of a time, or sooner where one is asked for. All requests until a look begins make one look,
 * also those that come during the look before.
 */
export class NextLook {
  readonly #pause: Pause;
  #isRequested = false;
  #wake: () => void = () => undefined;

  constructor(pause: Pause = (ms, signal) => sleep(ms, undefined, { signal })) {
    this.#pause = pause;
  }

  /** Asks for a look at once. */
  request(): void {
    this.#isRequested = true;
    this.#wake();
  }

  /** Resolves when the next look is due, after `ms` at the latest. @throws where `signal` aborts. */
  async isDue(ms: number, signal: AbortSignal): Promise<void> {
    await this.#pause(MIN_PAUSE_MS, signal);
    if (!this.#isRequested) await this.#requestedOrAfter(ms - MIN_PAUSE_MS, signal);
    this.#isRequested = false;
  }

  async #requestedOrAfter(ms: number, signal: AbortSignal): Promise<void> {
    const requested = new AbortController();
    this.#wake = () => {
      requested.abort();
    };
    try {
      await this.#pause(ms, AbortSignal.any([signal, requested.signal]));
    } catch (error) {
      if (!requested.signal.aborted || signal.aborted) throw error;
    } finally {
      this.#wake = () => undefined;
    }
  }
}

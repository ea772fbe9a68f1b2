import { SingleFlight } from './single-flight.ts';

export interface DelayedRemovalOptions<Id> {
  readonly remove: (ids: readonly Id[]) => Promise<void>;
  /** Called when a removal failed for which no caller waits. It is tried again. */
  readonly onError: (error: unknown) => void;
}

/** Real time. A relay that takes over in between publishes the rows again, so it is short. */
const DELAY_MS = 500;
/** After a failure. Real time. */
const RETRY_MS = 1_000;

/**
 * Removes ids together, a moment after they were added: a delete costs the database much the same however many rows it removes. A
 * process that dies before has removed nothing, so what was done with them must be repeatable.
 */
export class DelayedRemoval<Id> {
  readonly #options: DelayedRemovalOptions<Id>;
  readonly #removal = new SingleFlight(() => this.#remove());
  #waiting: Id[] = [];
  #beingRemoved: readonly Id[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DelayedRemovalOptions<Id>) {
    this.#options = options;
  }

  /** The added ids that may not be removed yet. */
  ids(): readonly Id[] {
    return [...this.#beingRemoved, ...this.#waiting];
  }

  get size(): number {
    return this.#beingRemoved.length + this.#waiting.length;
  }

  add(ids: readonly Id[]): void {
    if (ids.length === 0) return;
    this.#waiting.push(...ids);
    this.#later(DELAY_MS);
  }

  /** Resolves when all ids that were added before the call are removed. Rejects as `remove` does. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#removal.run();
  }

  #later(delayMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#options.onError), delayMs).unref();
  }

  async #remove(): Promise<void> {
    const ids = this.#waiting.splice(0);
    if (ids.length === 0) return;
    this.#beingRemoved = ids;
    try {
      await this.#options.remove(ids);
    } catch (error) {
      this.#waiting.unshift(...ids);
      this.#later(RETRY_MS);
      throw error;
    } finally {
      this.#beingRemoved = [];
    }
  }
}

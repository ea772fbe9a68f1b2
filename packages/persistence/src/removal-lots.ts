import { SingleFlight } from './single-flight.ts';

/** What {@link RemovalLots} needs. */
export interface RemovalLotsOptions<Id> {
  readonly remove: (ids: readonly Id[]) => Promise<void>;
  /** Hears of a removal that nobody waited for; what was not removed is tried with what comes next. */
  readonly onError: (error: unknown) => void;
}

/** Real time; well below the age at which others take what is there for left behind. */
const TOGETHER_MS = 500;

/**
 * Removes what is done with a moment later, together: a removal costs the database much the same however many it removes. A
 * process that dies before has removed nothing, so only what may be done twice can wait here.
 */
export class RemovalLots<Id> {
  readonly #options: RemovalLotsOptions<Id>;
  readonly #removal = new SingleFlight(() => this.#remove());
  #waiting: Id[] = [];
  #beingRemoved: readonly Id[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RemovalLotsOptions<Id>) {
    this.#options = options;
  }

  /** What is not removed yet for all that is known. */
  ids(): readonly Id[] {
    return [...this.#beingRemoved, ...this.#waiting];
  }

  get size(): number {
    return this.#beingRemoved.length + this.#waiting.length;
  }

  add(ids: readonly Id[]): void {
    if (ids.length === 0) return;
    this.#waiting.push(...ids);
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#options.onError), TOGETHER_MS);
  }

  /** Resolves when everything that was added before the call is removed; rejects as the removal does. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#removal.run();
  }

  async #remove(): Promise<void> {
    const ids = this.#waiting.splice(0);
    if (ids.length === 0) return;
    this.#beingRemoved = ids;
    try {
      await this.#options.remove(ids);
    } catch (error) {
      this.#waiting.unshift(...ids);
      throw error;
    } finally {
      this.#beingRemoved = [];
    }
  }
}

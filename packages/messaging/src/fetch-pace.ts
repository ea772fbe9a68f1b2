import { Pace } from './pace.ts';

/** So many fetches from a broker in a row are not held up. */
const UNPACED = 8;

/**
 * Under a steady stream, lets each broker be fetched from once in so many milliseconds. What one fetch brings takes one turn,
 * of however many partitions it is: the client fetches from a broker again when all of it is done.
 */
export class FetchPace {
  readonly #everyMs: number;
  readonly #paces = new Map<number, Pace>();
  #nodeId = 0;
  #nextAtMs: number | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** The batches that begin after this, and before it is called again, came in one fetch from the broker `nodeId`. */
  fetched(nodeId: number): void {
    this.#nodeId = nodeId;
    this.#nextAtMs = undefined;
  }

  /** A batch begins at `nowMs`, any clock of real time: answers when the fetch may follow that follows it, by that clock. */
  nextFetch(nowMs: number): number {
    this.#nextAtMs ??= nowMs + this.#paceOf(this.#nodeId, nowMs).take(nowMs);
    return this.#nextAtMs;
  }

  #paceOf(nodeId: number, nowMs: number): Pace {
    const pace = this.#paces.get(nodeId) ?? new Pace({ burst: UNPACED, everyMs: this.#everyMs, nowMs });
    this.#paces.set(nodeId, pace);
    return pace;
  }
}

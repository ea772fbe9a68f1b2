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
  #isFirst = true;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /**
   * The batches that begin after this, and before it is called again, came in one fetch from the broker `nodeId`; one that
   * came before, from another, and had to wait may be taken for the first of them, which costs at most a turn.
   */
  fetched(nodeId: number): void {
    this.#nodeId = nodeId;
    this.#isFirst = true;
  }

  /**
   * A batch begins at `nowMs`, any clock of real time: answers before when it may not end, by that clock. Only the first of a
   * fetch is held, which keeps the next fetch waiting as well as all would: the others leave their places to those behind.
   */
  heldUntil(nowMs: number): number {
    if (!this.#isFirst) return nowMs;
    this.#isFirst = false;
    return nowMs + this.#paceOf(this.#nodeId, nowMs).take(nowMs);
  }

  #paceOf(nodeId: number, nowMs: number): Pace {
    const pace = this.#paces.get(nodeId) ?? new Pace({ burst: UNPACED, everyMs: this.#everyMs, nowMs });
    this.#paces.set(nodeId, pace);
    return pace;
  }
}

import { setImmediate } from 'node:timers/promises';

/** Others have a turn after this time: Kafka must hear from the consumer, and leases are renewed. */
const LONGEST_TURN_MS = 100;

/** Measures work that holds the event loop, in real time, and lets others have a turn in between. */
export class WorkTime {
  #spentMs = 0;
  #turnMs = 0;

  /** All of it so far. */
  get spentMs(): number {
    return this.#spentMs;
  }

  of<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      const took = performance.now() - began;
      this.#spentMs += took;
      this.#turnMs += took;
    }
  }

  async giveTurn(): Promise<void> {
    if (this.#turnMs < LONGEST_TURN_MS) return;
    this.#turnMs = 0;
    await setImmediate();
  }
}

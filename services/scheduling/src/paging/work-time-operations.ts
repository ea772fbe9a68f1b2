import { setImmediate } from 'node:timers/promises';
import type { Mention } from '../configuration/mentions.ts';
import type { Effects } from './effects.ts';

/**
 * Work of one transaction that takes longer than this is left for the next one. It is done again within the transaction, which may last
 * 5 s.
 */
export const MAX_WORK_MS = 2_000;

/**
 * The event loop runs again after this time, so that the consumer sends its heartbeats to Kafka and leases are renewed. `longWork` is
 * not used, because the reads of callers in its queue would delay pages.
 */
const YIELD_AFTER_MS = 100;

/** About how long it takes to write a page, and each character of its description. */
const PAGE_MS = 0.2;
const CHARACTER_MS = 0.0001;

/** Measures how long transitions take, in real time, and yields to the event loop in between. */
export class WorkTime {
  #spentMs = 0;
  #sinceYieldMs = 0;

  /** The time of all transitions so far, with the expected time to write their pages. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** Measures `decide`. Returns the users and teams that it did not find. */
  measure(decide: () => readonly Effects[]): readonly Mention[] {
    const began = performance.now();
    const effects = decide();
    const took = performance.now() - began;
    this.#sinceYieldMs += took;
    this.#spentMs += took + effects.reduce((sum, { pages }) => sum + msToWrite(pages), 0);
    return effects.flatMap(({ unknown }) => unknown);
  }

  /** Lets the event loop run where it has not for 100 ms. */
  async yieldIfDue(): Promise<void> {
    if (this.#sinceYieldMs < YIELD_AFTER_MS) return;
    this.#sinceYieldMs = 0;
    await setImmediate();
  }
}

const msToWrite = (pages: Effects['pages']): number =>
  pages.reduce((sum, { alert }) => sum + PAGE_MS + CHARACTER_MS * alert.description.length, 0);

import { setImmediate } from 'node:timers/promises';
import type { Mention } from '../../domain/mentions.ts';
import type { RunEffects } from '../../domain/runs/effects.ts';

/** Others have a turn after this time: Kafka must hear from the consumer, and leases are renewed. */
const LONGEST_TURN_MS = 100;

/** What writing a page takes, about, and each character of the description in it. */
const PAGE_MS = 0.2;
const CHARACTER_MS = 0.0001;

/** Measures what settlements take, in real time, and lets others have a turn in between. */
export class WorkTime {
  #spentMs = 0;
  #turnMs = 0;

  /** All of it so far, with what writing the pages will take. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** What `settle` did not find. */
  of(settle: () => readonly RunEffects[]): readonly Mention[] {
    const began = performance.now();
    const effects = settle();
    const took = performance.now() - began;
    this.#turnMs += took;
    this.#spentMs += took + effects.reduce((sum, { pages }) => sum + msToWrite(pages), 0);
    return effects.flatMap(({ unknown }) => unknown);
  }

  async giveTurn(): Promise<void> {
    if (this.#turnMs < LONGEST_TURN_MS) return;
    this.#turnMs = 0;
    await setImmediate();
  }
}

const msToWrite = (pages: RunEffects['pages']): number =>
  pages.reduce((sum, { alert }) => sum + PAGE_MS + CHARACTER_MS * alert.description.length, 0);

import type { AlertEvent } from '@tocsin/contracts';
import { latestWords } from '../domain/alert-words.ts';
import type { WordStore } from '../ports/word-store.ts';

/** Follows the service's own events, so that searches by words see what the write path did not have to index (A11). */
export class CollectWords {
  readonly #store: WordStore;

  constructor(store: WordStore) {
    this.#store = store;
  }

  async collect(events: readonly AlertEvent[]): Promise<void> {
    const collected = latestWords(events);
    if (collected.length > 0) await this.#store.keep(collected);
  }
}

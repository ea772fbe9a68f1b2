import { changed, EMPTY_CONFIGURATION, type Configuration, type ConfigurationChange } from '../domain/configuration.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

/** The configuration of one process in memory, for component tests. */
export class MemoryConfigurationStore implements ConfigurationStore {
  #present: Configuration;

  constructor(present = EMPTY_CONFIGURATION) {
    this.#present = present;
  }

  current(): Promise<Configuration> {
    return Promise.resolve(this.#present);
  }

  change<R>(decide: (present: Configuration) => ConfigurationChange<R>): Promise<R> {
    return Promise.resolve().then(() => {
      const change = decide(this.#present);
      this.#present = changed(this.#present, change);
      return change.answer;
    });
  }
}

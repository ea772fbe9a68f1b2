import { changed, EMPTY_CONFIGURATION, type Change, type Configuration } from '../domain/configuration.ts';
import { touchedSchedules, type TouchedSchedules } from '../domain/shift-notices/touched-schedules.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

/** Keeps the configuration of one process: for component tests. */
export class MemoryConfigurationStore implements ConfigurationStore {
  #present: Configuration = EMPTY_CONFIGURATION;
  readonly #onTouched: (schedules: TouchedSchedules) => void;

  /** `onTouched` is called with the schedules whose final timelines may have changed. */
  constructor(onTouched: (schedules: TouchedSchedules) => void = () => undefined) {
    this.#onTouched = onTouched;
  }

  current(): Promise<Configuration> {
    return Promise.resolve(this.#present);
  }

  change<T>(decide: (present: Configuration) => Change<T>): Promise<T> {
    return Promise.resolve().then(() => {
      const change = decide(this.#present);
      this.#onTouched(touchedSchedules(this.#present, change));
      this.#present = changed(this.#present, change);
      return change.answer;
    });
  }
}

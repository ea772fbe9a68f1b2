import { applyChange, EMPTY_CONFIGURATION, type Change, type Configuration } from '../configuration/configuration.ts';

/** A configuration for code that only reads it. */
export class SampleConfiguration {
  #present: Configuration = EMPTY_CONFIGURATION;

  current(): Promise<Configuration> {
    return Promise.resolve(this.#present);
  }

  change(change: Omit<Change<undefined>, 'answer'>): void {
    this.#present = applyChange(this.#present, { ...change, answer: undefined });
  }
}

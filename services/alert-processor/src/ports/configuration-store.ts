import type { Configuration, ConfigurationChange } from '../domain/configuration.ts';

/** Stores policies and maintenance windows. The writers of all replicas decide one after the other. */
export interface ConfigurationStore {
  /**
   * The configuration with every write that was answered before this call (E11, E13); the same object while nothing
   * changes.
   *
   * @throws UnavailableError when the store is away.
   */
  current(): Promise<Configuration>;
  /**
   * Writes what `decide` returns for the present configuration, all or nothing, and resolves to its answer. If another
   * write came in between, `decide` is called again. If `decide` throws, nothing is written and this rejects with its
   * error.
   *
   * @throws UnavailableError when the store is away or too many writers wait.
   */
  change<R>(decide: (present: Configuration) => ConfigurationChange<R>): Promise<R>;
}

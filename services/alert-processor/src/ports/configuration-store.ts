import type { Configuration, ConfigurationChange } from '../domain/configuration.ts';

/** Keeps policies and maintenance windows. Writers of all replicas decide one after the other. */
export interface ConfigurationStore {
  /**
   * The configuration with every write that was answered before this call (E11, E13). The same object while nothing changes.
   *
   * @throws UnavailableError when the store is away.
   */
  current(): Promise<Configuration>;
  /**
   * Writes what `decide` makes of the present configuration, all of it or nothing, and resolves to the answer of `decide`. No
   * other write comes in between: when one did, `decide` is called again. What `decide` throws is thrown, and nothing is written.
   *
   * @throws UnavailableError when the store is away or too many writers wait.
   */
  change<R>(decide: (present: Configuration) => ConfigurationChange<R>): Promise<R>;
}

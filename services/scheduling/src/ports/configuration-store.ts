import type { Change, Configuration } from '../domain/configuration.ts';

/** Keeps schedules and escalations. Writers of all replicas decide one after the other. */
export interface ConfigurationStore {
  /**
   * The configuration with every write that was answered before this call (E11, E13).
   *
   * @throws UnavailableError when the store is away.
   */
  current(): Promise<Configuration>;
  /**
   * Writes what `decide` returns for the present configuration, all of it or nothing, publishes the new states and resolves to
   * its answer. No other write comes between what `decide` saw and its own; it may be called again. What it throws is thrown,
   * and nothing is written.
   *
   * @throws UnavailableError when the store is away.
   */
  change<T>(decide: (present: Configuration) => Change<T>): Promise<T>;
}

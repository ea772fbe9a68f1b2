import type { Change, Configuration } from '../domain/configuration.ts';

/** Keeps schedules, escalations and forwarding rules. Writers of all replicas decide one after the other. */
export interface ConfigurationStore {
  /**
   * The configuration with every write that was answered before this call (E11, E13).
   *
   * @throws UnavailableError when the store is away.
   */
  current(): Promise<Configuration>;
  /**
   * Writes what `decide` makes of the present configuration, all of it or nothing, and publishes new states of schedules and
   * escalations. Resolves to the answer of `decide`. No other write comes in between: when one did, `decide` is called again.
   * What `decide` throws is thrown, and nothing is written.
   *
   * @throws UnavailableError when the store is away or too many writers wait.
   */
  change<T>(decide: (present: Configuration) => Change<T>): Promise<T>;
}

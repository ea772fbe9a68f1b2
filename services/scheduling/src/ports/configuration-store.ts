import type { Change, Configuration } from '../domain/configuration.ts';

/** Keeps schedules and escalations; writers decide one after the other, whichever replica they sit in. */
export interface ConfigurationStore {
  /**
   * Everything that was written by whatever was answered before this call (E11, E13).
   *
   * @throws UnavailableError when the store is away.
   */
  current(): Promise<Configuration>;
  /**
   * Writes what `decide` returns for the present configuration, all of it or nothing, and resolves to its answer; the
   * new states are announced. No write lies between what `decide` saw and its own; it may be asked again, and whatever
   * it throws is thrown and writes nothing.
   *
   * @throws UnavailableError when the store is away.
   */
  change<T>(decide: (present: Configuration) => Change<T>): Promise<T>;
}

import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Policy } from './policy.ts';

/** All policies and maintenance windows as of one revision, each list in order of creation (E7). */
export interface Configuration {
  readonly policies: readonly Policy[];
  /** Cancelled and deleted windows included. */
  readonly maintenances: readonly Maintenance[];
}

export const EMPTY_CONFIGURATION: Configuration = { policies: [], maintenances: [] };

export interface Writes<T> {
  /** Created, or replaced as a whole. */
  readonly put?: readonly T[];
  readonly removed?: readonly T[];
}

/** The writes of a decision, which happen all or not at all, and its answer. */
export interface ConfigurationChange<R> {
  readonly policies?: Writes<Policy>;
  readonly maintenances?: Writes<Maintenance>;
  readonly answer: R;
}

/** `present` with `change` applied; the same object if it writes nothing. */
export function changed(present: Configuration, change: ConfigurationChange<unknown>): Configuration {
  if (!writes(change)) return present;
  return {
    policies: after(present.policies, change.policies),
    maintenances: after(present.maintenances, change.maintenances),
  };
}

/** Whether `change` writes anything at all. */
export function writes({ policies, maintenances }: ConfigurationChange<unknown>): boolean {
  return [policies, maintenances].some((lists) => (lists?.put?.length ?? 0) + (lists?.removed?.length ?? 0) > 0);
}

function after<T extends { readonly id: string; readonly createdAt: Date }>(
  present: readonly T[],
  { put = [], removed = [] }: Writes<T> = {},
): readonly T[] {
  if (put.length === 0 && removed.length === 0) return present;
  const byId = new Map(present.map((item) => [item.id, item]));
  for (const { id } of removed) byId.delete(id);
  for (const item of put) byId.set(item.id, item);
  return [...byId.values()].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

/**
 * Stores policies and maintenance windows. The writers of all replicas decide one after the other. An interface, because `maintenance`
 * changes the same configuration and imports no store of another noun.
 */
export interface ConfigurationStore {
  /**
   * The configuration with every write that was answered before this call (E11, E13); the same object while nothing
   * changes.
   *
   * @throws UnavailableError when the store is unavailable.
   */
  current(): Promise<Configuration>;
  /**
   * Writes what `decide` returns for the present configuration, all or nothing, and resolves to its answer. If another
   * write came in between, `decide` is called again. If `decide` throws, nothing is written and this rejects with its
   * error.
   *
   * @throws UnavailableError when the store is unavailable or too many writers wait.
   */
  change<R>(decide: (present: Configuration) => ConfigurationChange<R>): Promise<R>;
}

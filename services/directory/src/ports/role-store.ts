import type { RoleReference } from '@tocsin/contracts';
import type { CustomRole } from '../domain/role.ts';

/** What became of a removal, decided and done in one step. `usernames` are some of those who have the role. */
export type RoleRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'held'; readonly usernames: readonly string[]; readonly holders: number };

/** Keeps custom roles; names are exact (E14). */
export interface RoleStore {
  /** @throws ConflictError when the name is taken. */
  insert(role: CustomRole): Promise<void>;
  find(reference: RoleReference): Promise<CustomRole | undefined>;
  /** By creation, then id. */
  list(): Promise<readonly CustomRole[]>;
  /**
   * Lets `work` make a new state out of the present one, while nobody else changes configuration; the same role back means
   * that nothing is written. Whoever has the role has it by its new name from then on.
   *
   * @returns the role as it is then; undefined when there is none.
   * @throws ConflictError when the new name is taken.
   */
  change(reference: RoleReference, work: (role: CustomRole) => CustomRole): Promise<CustomRole | undefined>;
  /** Removes the role unless a user has it. */
  remove(reference: RoleReference): Promise<RoleRemoval>;
}

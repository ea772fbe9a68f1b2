import type { Put } from '@tocsin/core';
import type { RoleReference } from '@tocsin/api';
import type { RoleState } from '@tocsin/events';
import {
  type AnnouncedKind,
  changeConfiguration,
  type ConfigurationCollection,
  type Connection,
  type IndexPlan,
  type Session,
} from '@tocsin/mongo';
import { referenceFilter } from '../references/reference.ts';
import { type CustomRole, type Role, roleMessage } from './role.ts';

export const ROLES = 'roles';

export const ROLE: AnnouncedKind<CustomRole, RoleState> = {
  collection: ROLES,
  conflict: ({ name }) => `Role with name [${name}] already exists.`,
  message: roleMessage,
};

export const roleIndexes: readonly IndexPlan[] = [
  {
    collection: ROLES,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one role for each name (E14); reads by name',
  },
  { collection: ROLES, keys: { createdAt: 1, _id: 1 }, serves: 'the list of roles by creation' },
];

/** How many users with the role a refused removal names. */
const NAMED_USERS = 5;

/** The result of a removal. `usernames` are some of the users who have the role. */
export type RoleRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'in-use'; readonly usernames: readonly string[]; readonly users: number };

/** A role in a list, without its rights, which can be many. */
export type ListedRole = Pick<CustomRole, 'id' | 'name' | 'extendedRole'>;

export interface RoleStoreOptions {
  readonly connection: Connection;
  readonly roles: ConfigurationCollection<CustomRole>;
  readonly users: {
    withRole(
      roleId: string,
      limit: number,
      session: Session,
    ): Promise<{ readonly count: number; readonly usernames: readonly string[] }>;
    renameRole(role: Role, session: Session): Promise<void>;
  };
}

/** Keeps custom roles in MongoDB. Names are exact (E14). Every change of one is published on `roles.v1`. */
export class RoleStore {
  readonly #options: RoleStoreOptions;

  constructor(options: RoleStoreOptions) {
    this.#options = options;
  }

  /** @throws ConflictError when the name is taken. */
  insert(role: CustomRole): Promise<void> {
    return this.#options.roles.insert(role);
  }

  find(reference: RoleReference): Promise<CustomRole | undefined> {
    return this.#options.roles.find(referenceFilter(reference));
  }

  /** By creation, then id. */
  list(): Promise<readonly ListedRole[]> {
    return this.#options.roles.select({}, { fields: ['name', 'extendedRole'] });
  }

  /**
   * Replaces the role by the result of `work`, and its name in all users who have it. No other configuration is written meanwhile.
   * Nothing is written when `work` returns its argument.
   *
   * @returns the new role; undefined when there is none.
   * @throws ConflictError when the new name is taken.
   */
  change(reference: RoleReference, work: (role: CustomRole) => CustomRole): Promise<CustomRole | undefined> {
    const { connection, roles, users } = this.#options;
    return changeConfiguration(connection, async (session) => {
      const role = await roles.find(referenceFilter(reference), session);
      if (role === undefined) return undefined;
      const changed = work(role);
      await roles.replace(role, changed, session);
      if (changed.name !== role.name) await users.renameRole(changed, session);
      return changed;
    });
  }

  /**
   * Writes the role that has this id, as {@link ConfigurationCollection.put}, and its name in all users who have it.
   *
   * @throws ConflictError when the name is taken.
   */
  put(id: string, work: (present: CustomRole | undefined) => CustomRole): Promise<Put<CustomRole>> {
    const { connection, roles, users } = this.#options;
    return changeConfiguration(connection, async (session) => {
      const put = await roles.put(id, work, session);
      const { entity, present } = put;
      if (present !== undefined && present.name !== entity.name) await users.renameRole(entity, session);
      return put;
    });
  }

  /** Removes the role unless a user has it. */
  remove(reference: RoleReference): Promise<RoleRemoval> {
    const { connection, roles, users } = this.#options;
    return changeConfiguration(connection, async (session) => {
      const role = await roles.find(referenceFilter(reference), session);
      if (role === undefined) return { kind: 'missing' };
      const { count, usernames } = await users.withRole(role.id, NAMED_USERS, session);
      if (count > 0) return { kind: 'in-use', usernames, users: count };
      await roles.remove({ _id: role.id }, session);
      return { kind: 'removed' };
    });
  }
}

import type { RoleReference } from '@tocsin/contracts';
import {
  changeConfiguration,
  ConfigurationCollection,
  type ConfigurationKind,
  type Session,
} from '@tocsin/persistence';
import type { Connection, Model } from 'mongoose';
import type { CustomRole, Role } from '../domain/role.ts';
import { folded } from '../domain/user-search.ts';
import type { RoleRemoval, RoleStore } from '../ports/role-store.ts';
import { ROLES } from './index-plans.ts';
import { referenceFilter } from './reference-filter.ts';
import { userModel, type UserDocument } from './user-documents.ts';

/** How many holders of a role a refusal names. */
const NAMED_HOLDERS = 5;

/** Roles are announced to nobody: other services know of a user's role by its id. */
export const ROLE: ConfigurationKind<CustomRole> = {
  collection: ROLES,
  conflict: ({ name }) => `Role with name [${name}] already exists.`,
};

export class MongoRoleStore implements RoleStore {
  readonly #connection: Connection;
  readonly #roles: ConfigurationCollection<CustomRole>;
  readonly #users: Model<UserDocument>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#roles = new ConfigurationCollection(connection, ROLE);
    this.#users = userModel(connection);
  }

  insert(role: CustomRole): Promise<void> {
    return this.#roles.insert(role);
  }

  find(reference: RoleReference): Promise<CustomRole | undefined> {
    return this.#roles.find(referenceFilter(reference));
  }

  list(): Promise<readonly CustomRole[]> {
    return this.#roles.list();
  }

  change(reference: RoleReference, work: (role: CustomRole) => CustomRole): Promise<CustomRole | undefined> {
    return changeConfiguration(this.#connection, async (session) => {
      const role = await this.#roles.find(referenceFilter(reference), session);
      if (role === undefined) return undefined;
      const changed = await this.#roles.update({ _id: role.id }, work, session);
      if (changed !== undefined && changed.name !== role.name) await this.#rename(changed, session);
      return changed;
    });
  }

  remove(reference: RoleReference): Promise<RoleRemoval> {
    return changeConfiguration(this.#connection, async (session) => {
      const role = await this.#roles.find(referenceFilter(reference), session);
      if (role === undefined) return { kind: 'missing' };
      const held = { 'role.id': role.id };
      const holders = await this.#users.countDocuments(held, { session }).exec();
      if (holders > 0) {
        const named = this.#users.find(held, { username: 1 }, { session }).limit(NAMED_HOLDERS);
        const usernames = (await named.lean<{ username: string }[]>().exec()).map(({ username }) => username);
        return { kind: 'held', holders, usernames: usernames.toSorted() };
      }
      await this.#roles.remove({ _id: role.id }, session);
      return { kind: 'removed' };
    });
  }

  /** What others know of a user does not change with it: no new version. */
  async #rename({ id, name }: Role, session: Session): Promise<void> {
    const renamed = { 'role.name': name, 'search.role': folded(name) };
    await this.#users.updateMany({ 'role.id': id }, { $set: renamed }, { session }).exec();
  }
}

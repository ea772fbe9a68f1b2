import type { RoleReference } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import { isDuplicateKey, type Session } from '@tocsin/persistence';
import type { Connection, Model } from 'mongoose';
import type { CustomRole, Role } from '../domain/role.ts';
import { folded } from '../domain/user-search.ts';
import type { RoleRemoval, RoleStore } from '../ports/role-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { referenceFilter } from './reference-filter.ts';
import { roleDocument, roleFrom, roleModel, type RoleDocument } from './role-documents.ts';
import { userModel, type UserDocument } from './user-documents.ts';

/** How many holders of a role a refusal names. */
const NAMED_HOLDERS = 5;

/** Roles in MongoDB. They are announced to nobody: other services know of a user's role by its id. */
export class MongoRoleStore implements RoleStore {
  readonly #roles: Model<RoleDocument>;
  readonly #users: Model<UserDocument>;
  readonly #writes: ConfigurationWrites;

  constructor(connection: Connection, writes: ConfigurationWrites) {
    this.#roles = roleModel(connection);
    this.#users = userModel(connection);
    this.#writes = writes;
  }

  async insert(role: CustomRole): Promise<void> {
    try {
      await this.#writes.run((session) => this.#roles.create([roleDocument(role)], { session }));
    } catch (error) {
      throw refusalOf(error, role.name);
    }
  }

  async find(reference: RoleReference): Promise<CustomRole | undefined> {
    const found = await this.#roles.findOne(referenceFilter(reference)).lean<RoleDocument>().exec();
    return found === null ? undefined : roleFrom(found);
  }

  async list(): Promise<readonly CustomRole[]> {
    const found = await this.#roles.find().sort({ createdAt: 1, _id: 1 }).lean<RoleDocument[]>().exec();
    return found.map(roleFrom);
  }

  async change(reference: RoleReference, work: (role: CustomRole) => CustomRole): Promise<CustomRole | undefined> {
    let name = '';
    try {
      return await this.#writes.run(async (session) => {
        const role = await this.#one(reference, session);
        if (role === undefined) return undefined;
        const changed = work(role);
        if (changed === role) return role;
        const next = { ...changed, id: role.id };
        name = next.name;
        await this.#roles.replaceOne({ _id: role.id }, roleDocument(next), { session }).exec();
        if (next.name !== role.name) await this.#rename(next, session);
        return next;
      });
    } catch (error) {
      throw refusalOf(error, name);
    }
  }

  async remove(reference: RoleReference): Promise<RoleRemoval> {
    return this.#writes.run(async (session) => {
      const role = await this.#one(reference, session);
      if (role === undefined) return { kind: 'missing' };
      const held = { 'role.id': role.id };
      const holders = await this.#users.countDocuments(held, { session }).exec();
      if (holders > 0) {
        const named = this.#users.find(held, { username: 1 }, { session }).limit(NAMED_HOLDERS);
        const usernames = (await named.lean<{ username: string }[]>().exec()).map(({ username }) => username);
        return { kind: 'held', holders, usernames: usernames.toSorted() };
      }
      await this.#roles.deleteOne({ _id: role.id }, { session });
      return { kind: 'removed' };
    });
  }

  /** What others know of a user does not change with it: no new version. */
  async #rename({ id, name }: Role, session: Session): Promise<void> {
    const renamed = { 'role.name': name, 'search.role': folded(name) };
    await this.#users.updateMany({ 'role.id': id }, { $set: renamed }, { session }).exec();
  }

  async #one(reference: RoleReference, session: Session): Promise<CustomRole | undefined> {
    const found = await this.#roles.findOne(referenceFilter(reference)).session(session).lean<RoleDocument>().exec();
    return found === null ? undefined : roleFrom(found);
  }
}

function refusalOf(error: unknown, name: string): unknown {
  if (!isDuplicateKey(error, 'name')) return error;
  return new ConflictError(`Role with name [${name}] already exists.`, { cause: error });
}

import type { Connection, Model, QueryFilter } from 'mongoose';
import { NoticeCommands, type NoticeCommand } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import { ConfigurationCollection, isDuplicateKey, type Outbox, type Session } from '@tocsin/persistence';
import { unknownRole } from '../application/not-found.ts';
import { isFixed, isOwner, type CustomRole, type Role } from '../domain/role.ts';
import { withNextVersion, type User, type UserName, type UserReference } from '../domain/user.ts';
import type {
  TeamName,
  UserChange,
  UserList,
  UserPage,
  UserRemoval,
  UserStanding,
  UserStore,
} from '../ports/user-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { teamModel, type TeamDocument } from './team-documents.ts';
import { ROLE } from './mongo-role-store.ts';
import { usersWithAny } from './mongo-states.ts';
import {
  listedUserFrom,
  userDocument,
  userFrom,
  userModel,
  type ListedUserDocument,
  type UserDocument,
} from './user-documents.ts';
import { userFilter } from './user-filter.ts';
import { UserTotals } from './user-totals.ts';

/** Each is the key of an index: only what a search has found is ever sorted in memory. */
const SORT_KEYS = {
  username: ['username'],
  fullName: ['fullName', '_id'],
  insertedAt: ['createdAt', '_id'],
} as const;

/** Takes the notices of a transaction along: `Outbox` is one. */
export type NoticeOutbox = Pick<Outbox, 'add'>;

export interface MongoUserStoreParts {
  readonly connection: Connection;
  readonly writes: ConfigurationWrites;
  readonly notices: NoticeOutbox;
}

export class MongoUserStore implements UserStore {
  readonly #users: Model<UserDocument>;
  readonly #teams: Model<TeamDocument>;
  readonly #roles: ConfigurationCollection<CustomRole>;
  readonly #writes: ConfigurationWrites;
  readonly #notices: NoticeOutbox;
  readonly #totals: UserTotals;

  constructor({ connection, writes, notices }: MongoUserStoreParts) {
    this.#users = userModel(connection);
    this.#teams = teamModel(connection);
    this.#roles = new ConfigurationCollection(connection, ROLE);
    this.#writes = writes;
    this.#notices = notices;
    this.#totals = new UserTotals({
      revision: () => writes.revision(),
      // By the keys of an index, where there is nothing to choose one by: documents are a hundred times as large.
      count: (conditions) => {
        const counting = this.#users.countDocuments(userFilter(conditions));
        return (conditions.length === 0 ? counting.hint('username') : counting).exec();
      },
    });
  }

  async insert(user: User, notices: readonly NoticeCommand[] = []): Promise<void> {
    try {
      await this.#writes.run(async (session) => {
        const role = await this.#present(user.role, session);
        await this.#users.create([userDocument({ ...user, role })], { session });
        await this.#notices.add(session, NoticeCommands, notices);
        await this.#writes.announcements.changed(session, [user.id]);
      });
    } catch (error) {
      if (!isDuplicateKey(error, 'username')) throw error;
      throw new ConflictError(`User with username [${user.username}] already exists.`, { cause: error });
    }
  }

  async find(reference: UserReference): Promise<User | undefined> {
    const found = await this.#users.findOne(filterOf(reference)).lean<UserDocument>().exec();
    return found === null ? undefined : userFrom(found);
  }

  withAny(key: 'id' | 'username', values: readonly string[]): Promise<readonly User[]> {
    return usersWithAny(this.#users, key, values);
  }

  async names(references: readonly UserReference[]): Promise<readonly UserName[]> {
    if (references.length === 0) return [];
    const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []));
    const usernames = references.flatMap((reference) => ('username' in reference ? [reference.username] : []));
    const found = await this.#users
      .find({ $or: [{ _id: { $in: ids } }, { username: { $in: usernames } }] }, { username: 1 })
      .lean<Pick<UserDocument, '_id' | 'username'>[]>()
      .exec();
    return found.map(({ _id, username }) => ({ id: _id, username }));
  }

  async list({ conditions, sort, order, offset, limit }: UserPage): Promise<UserList> {
    const direction = order === 'asc' ? 1 : -1;
    const filter = userFilter(conditions);
    const [found, total] = await Promise.all([
      this.#users
        .find(filter, { notificationRules: 0 })
        .sort(Object.fromEntries(SORT_KEYS[sort].map((key) => [key, direction])))
        .skip(offset)
        .limit(limit)
        .lean<ListedUserDocument[]>()
        .exec(),
      this.#totals.of(conditions),
    ]);
    return { users: found.map(listedUserFrom), total };
  }

  async count(): Promise<number> {
    return this.#totals.of([]);
  }

  async teamsOf(id: string): Promise<readonly TeamName[]> {
    return this.#teamsOf(id, { phase: 'active' });
  }

  async change<T>(
    reference: UserReference,
    work: (user: User, standing: UserStanding) => UserChange<T>,
  ): Promise<{ answer: T } | undefined> {
    return this.#writes.run(async (session) => {
      const found = await this.#users.findOne(filterOf(reference)).session(session).lean<UserDocument>().exec();
      if (found === null) return undefined;
      const user = userFrom(found);
      const changed = work(user, { lastOwner: await this.#isLastOwner(user, session) });
      if (changed.user !== user) {
        const { role } = changed.user;
        const next =
          role.id === user.role.id ? changed.user : { ...changed.user, role: await this.#present(role, session) };
        await this.#users.replaceOne({ _id: user.id }, userDocument(withNextVersion(next, user)), { session }).exec();
        await this.#writes.announcements.changed(session, [user.id]);
      }
      await this.#notices.add(session, NoticeCommands, changed.notices ?? []);
      return { answer: changed.answer };
    });
  }

  async remove(id: string): Promise<UserRemoval> {
    return this.#writes.run(async (session) => {
      const user = await this.#users.findById(id).session(session).lean<UserDocument>().exec();
      if (user === null) return { kind: 'missing' };
      const teams = await this.#teamsOf(id, { phase: { $ne: 'deleting' } }, session);
      const teamNames = teams.map(({ name }) => name);
      if (teamNames.length > 0) return { kind: 'member', teamNames };
      if (await this.#isLastOwner(user, session)) return { kind: 'last-owner' };
      await this.#users.deleteOne({ _id: id }, { session });
      await this.#writes.announcements.deleted(session, id, { ...user.version, n: user.version.n + 1 });
      return { kind: 'removed' };
    });
  }

  async hasOwner(): Promise<boolean> {
    return (await this.#owners()) > 0;
  }

  async #teamsOf(id: string, phases: QueryFilter<TeamDocument>, session?: Session): Promise<readonly TeamName[]> {
    const teams = await this.#teams
      .find({ 'members.userId': id, ...phases }, { name: 1 })
      .session(session ?? null)
      .sort({ createdAt: 1, _id: 1 })
      .lean<{ _id: string; name: string }[]>()
      .exec();
    return teams.map(({ _id, name }) => ({ id: _id, name }));
  }

  /** The role as it is now: it was looked up before this transaction. */
  async #present(role: Role, session: Session): Promise<Role> {
    if (isFixed(role)) return role;
    const found = await this.#roles.find({ _id: role.id }, session);
    if (found === undefined) throw unknownRole({ name: role.name });
    return { id: role.id, name: found.name };
  }

  async #isLastOwner({ role }: Pick<User, 'role'>, session: Session): Promise<boolean> {
    return isOwner(role) && (await this.#owners(session)) === 1;
  }

  async #owners(session?: Session): Promise<number> {
    return this.#users
      .countDocuments({ 'role.id': 'owner' }, session === undefined ? {} : { session })
      .limit(2)
      .exec();
  }
}

const filterOf = (reference: UserReference) =>
  'id' in reference ? { _id: reference.id } : { username: reference.username };

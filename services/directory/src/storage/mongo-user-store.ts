import type { Connection, Model } from 'mongoose';
import { NoticeCommands, type NoticeCommand } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import { isDuplicateKey, type Outbox, type Session } from '@tocsin/persistence';
import { isOwner } from '../domain/role.ts';
import { withNextVersion, type User, type UserName, type UserReference } from '../domain/user.ts';
import type { UserChange, UserPage, UserRemoval, UserStanding, UserStore } from '../ports/user-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { teamModel, type TeamDocument } from './team-documents.ts';
import { userDocument, userFrom, userModel, type UserDocument } from './user-documents.ts';

const SORT_FIELDS = { username: 'username', fullName: 'fullName', insertedAt: 'createdAt' } as const;

/** Takes the notices of a transaction along: `Outbox` is one. */
export type NoticeOutbox = Pick<Outbox, 'add' | 'flush'>;

export interface MongoUserStoreParts {
  readonly connection: Connection;
  readonly writes: ConfigurationWrites;
  readonly notices: NoticeOutbox;
}

export class MongoUserStore implements UserStore {
  readonly #users: Model<UserDocument>;
  readonly #teams: Model<TeamDocument>;
  readonly #writes: ConfigurationWrites;
  readonly #notices: NoticeOutbox;

  constructor({ connection, writes, notices }: MongoUserStoreParts) {
    this.#users = userModel(connection);
    this.#teams = teamModel(connection);
    this.#writes = writes;
    this.#notices = notices;
  }

  async insert(user: User, notices: readonly NoticeCommand[] = []): Promise<void> {
    try {
      await this.#writes.run(async (session) => {
        await this.#users.create([userDocument(user)], { session });
        await this.#notices.add(session, NoticeCommands, notices);
        await this.#writes.changes.changed(session, user.id);
      });
      void this.#notices.flush();
    } catch (error) {
      if (!isDuplicateKey(error, 'username')) throw error;
      throw new ConflictError(`User with username [${user.username}] already exists.`, { cause: error });
    }
  }

  async find(reference: UserReference): Promise<User | undefined> {
    const found = await this.#users.findOne(filterOf(reference)).lean<UserDocument>().exec();
    return found === null ? undefined : userFrom(found);
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

  async list({ sort, order, offset, limit }: UserPage): Promise<{ users: readonly User[]; total: number }> {
    const direction = order === 'asc' ? 1 : -1;
    const [found, total] = await Promise.all([
      this.#users
        .find()
        .sort({ [SORT_FIELDS[sort]]: direction, _id: direction })
        .skip(offset)
        .limit(limit)
        .lean<UserDocument[]>()
        .exec(),
      this.#users.countDocuments().exec(),
    ]);
    return { users: found.map(userFrom), total };
  }

  async change<T>(
    reference: UserReference,
    work: (user: User, standing: UserStanding) => UserChange<T>,
  ): Promise<{ answer: T } | undefined> {
    const outcome = await this.#writes.run(async (session) => {
      const found = await this.#users.findOne(filterOf(reference)).session(session).lean<UserDocument>().exec();
      if (found === null) return undefined;
      const user = userFrom(found);
      const lastOwner = isOwner(user.role) && (await this.#owners(session)) === 1;
      const changed = work(user, { lastOwner });
      if (changed.user !== user) {
        const next = userDocument(withNextVersion(changed.user, user));
        await this.#users.replaceOne({ _id: user.id }, next, { session }).exec();
        await this.#writes.changes.changed(session, user.id);
      }
      await this.#notices.add(session, NoticeCommands, changed.notices ?? []);
      return { answer: changed.answer };
    });
    void this.#notices.flush();
    return outcome;
  }

  async remove(id: string): Promise<UserRemoval> {
    return this.#writes.run(async (session) => {
      const user = await this.#users.findById(id).session(session).lean<UserDocument>().exec();
      if (user === null) return { kind: 'missing' };
      const teamNames = await this.#teamNamesOf(id, session);
      if (teamNames.length > 0) return { kind: 'member', teamNames };
      if (isOwner(user.role) && (await this.#owners(session)) === 1) return { kind: 'last-owner' };
      await this.#users.deleteOne({ _id: id }, { session });
      await this.#writes.changes.deleted(session, id, { ...user.version, n: user.version.n + 1 });
      return { kind: 'removed' };
    });
  }

  async hasOwner(): Promise<boolean> {
    return (await this.#owners()) > 0;
  }

  async #teamNamesOf(userId: string, session: Session): Promise<readonly string[]> {
    const teams = await this.#teams
      .find({ 'members.userId': userId, phase: { $ne: 'deleting' } }, { name: 1 }, { session })
      .sort({ createdAt: 1, _id: 1 })
      .lean<{ name: string }[]>()
      .exec();
    return teams.map(({ name }) => name);
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

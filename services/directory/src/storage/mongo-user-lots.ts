import type { Connection, Model } from 'mongoose';
import { withNextVersion, type User } from '../domain/user.ts';
import type { NextUsers, ReachableUser, UserLots } from '../ports/user-lots.ts';
import type { UserChange } from '../ports/user-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { userDocument, userFrom, userModel, type UserDocument } from './user-documents.ts';

export class MongoUserLots implements UserLots {
  readonly #users: Model<UserDocument>;
  readonly #writes: ConfigurationWrites;

  constructor(connection: Connection, writes: ConfigurationWrites) {
    this.#users = userModel(connection);
    this.#writes = writes;
  }

  async next({ among, after, limit }: NextUsers): Promise<readonly ReachableUser[]> {
    const id = { ...(among === undefined ? {} : { $in: [...among] }), ...(after === undefined ? {} : { $gt: after }) };
    const found = await this.#users
      .find(Object.keys(id).length === 0 ? {} : { _id: id }, { username: 1, contacts: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Pick<UserDocument, '_id' | 'username' | 'contacts'>[]>()
      .exec();
    return found.map(({ _id, username, contacts }) => ({ id: _id, username, contacts }));
  }

  async changeAll<T>(
    ids: readonly string[],
    work: (user: User) => Pick<UserChange<T>, 'user' | 'answer'>,
  ): Promise<readonly T[]> {
    if (ids.length === 0) return [];
    return this.#writes.run(async (session) => {
      const found = await this.#users
        .find({ _id: { $in: ids } }, undefined, { session })
        .sort({ _id: 1 })
        .lean<UserDocument[]>()
        .exec();
      const changes = found.map(userFrom).map((user) => ({ user, change: work(user) }));
      const changed = changes.filter(({ user, change }) => change.user !== user);
      if (changed.length > 0) {
        const written = changed.map(({ user, change }) => userDocument(withNextVersion(change.user, user)));
        const writes = written.map((replacement) => ({
          replaceOne: { filter: { _id: replacement._id }, replacement },
        }));
        await this.#users.bulkWrite(writes, { session });
      }
      await this.#writes.announcements.changed(
        session,
        changed.map(({ user }) => user.id),
      );
      return changes.map(({ change }) => change.answer);
    });
  }
}

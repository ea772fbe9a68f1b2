import type { Session } from '@tocsin/persistence';
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
    const found = await this.#users
      .find(filterOf({ among, after }), { username: 1, contacts: 1 })
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
      const changes = (await this.#found(session, { among: ids })).map((user) => ({ user, change: work(user) }));
      await this.#write(
        session,
        changes.map(({ user, change }) => [user, change.user]),
      );
      return changes.map(({ change }) => change.answer);
    });
  }

  /** As `changeAll`, in the transaction of `session`, which `changeConfiguration` runs. Resolves with the ids of `wanted`. */
  async changeNext(session: Session, wanted: NextUsers, work: (user: User) => User): Promise<readonly string[]> {
    await this.#writes.join(session);
    const users = await this.#found(session, wanted);
    await this.#write(
      session,
      users.map((user) => [user, work(user)]),
    );
    return users.map(({ id }) => id);
  }

  async #found(session: Session, { limit = 0, ...wanted }: Partial<NextUsers>): Promise<readonly User[]> {
    const found = await this.#users
      .find(filterOf(wanted), undefined, { session })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<UserDocument[]>()
      .exec();
    return found.map(userFrom);
  }

  /** Writes the users who have changed, and announces them. */
  async #write(session: Session, changes: readonly (readonly [before: User, after: User])[]): Promise<void> {
    const changed = changes.filter(([before, after]) => after !== before);
    if (changed.length > 0) {
      const writes = changed
        .map(([before, after]) => userDocument(withNextVersion(after, before)))
        .map((replacement) => ({ replaceOne: { filter: { _id: replacement._id }, replacement } }));
      await this.#users.bulkWrite(writes, { session });
    }
    await this.#writes.announcements.changed(
      session,
      changed.map(([{ id }]) => id),
    );
  }
}

function filterOf({ among, after }: Pick<Partial<NextUsers>, 'among' | 'after'>) {
  const id = { ...(among && { $in: [...among] }), ...(after !== undefined && { $gt: after }) };
  return Object.keys(id).length === 0 ? {} : { _id: id };
}

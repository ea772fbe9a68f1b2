import {
  changeConfiguration,
  type ConfigurationCollection,
  type Connection,
  type Filter,
  Revision,
  type Session,
} from '@tocsin/mongo';
import { type User, type UserBatch, type UserChange, withNextVersion } from './user.ts';

/** The fields of a user that are needed to reach them. */
export type ReachableUser = Pick<User, 'id' | 'username' | 'contacts'>;

const BY_ID = { _id: 1 } as const;

/** Reads and changes many users, a batch at a time. */
export class UserBatchStore {
  readonly #connection: Connection;
  readonly #users: ConfigurationCollection<User>;
  readonly #revision: Revision;

  constructor({
    connection,
    users,
  }: {
    readonly connection: Connection;
    readonly users: ConfigurationCollection<User>;
  }) {
    this.#connection = connection;
    this.#users = users;
    this.#revision = new Revision(connection);
  }

  /** The users that exist. A caller that passes the last id as the next `after` reads each user once. */
  next({ limit, ...wanted }: UserBatch): Promise<readonly ReachableUser[]> {
    return this.#users.select(filterOf(wanted), { fields: ['username', 'contacts'], sort: BY_ID, limit });
  }

  /**
   * Replaces each existing user of these, in the order of their ids, by the result of `work`: all are written, or none. No other
   * configuration is written meanwhile. `work` may run several times. A user for whom it returns its argument is not written.
   */
  async changeAll<T>(
    ids: readonly string[],
    work: (user: User) => Pick<UserChange<T>, 'user' | 'answer'>,
  ): Promise<readonly T[]> {
    if (ids.length === 0) return [];
    return changeConfiguration(this.#connection, async (session) => {
      const answers: T[] = [];
      await this.#change(session, { among: ids }, (user) => {
        const change = work(user);
        answers.push(change.answer);
        return change.user;
      });
      return answers;
    });
  }

  /** As `changeAll`, in the transaction of `session`, which `changeConfiguration` runs. Resolves with the ids of the batch. */
  changeNext(session: Session, batch: UserBatch, work: (user: User) => User): Promise<readonly string[]> {
    return this.#change(session, batch, work);
  }

  /**
   * Moves the revision first, so that the writers of other processes wait for the commit. Otherwise their short transactions would make
   * this long one start again each time.
   */
  async #change(
    session: Session,
    { limit = 0, ...wanted }: Partial<UserBatch>,
    work: (user: User) => User,
  ): Promise<readonly string[]> {
    await this.#revision.increment(session);
    const present = await this.#users.select(filterOf(wanted), { sort: BY_ID, limit, session });
    const put = present.flatMap((user) => {
      const changed = work(user);
      return changed === user ? [] : [withNextVersion(changed, user)];
    });
    await this.#users.write({ put }, session);
    return present.map(({ id }) => id);
  }
}

function filterOf({ among, after }: Pick<Partial<UserBatch>, 'among' | 'after'>): Filter {
  const id = { ...(among && { $in: [...among] }), ...(after !== undefined && { $gt: after }) };
  return Object.keys(id).length === 0 ? {} : { _id: id };
}

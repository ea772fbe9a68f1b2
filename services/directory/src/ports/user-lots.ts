import type { User } from '../domain/user.ts';
import type { UserChange } from './user-store.ts';

/** What is needed of a user to reach them. */
export type ReachableUser = Pick<User, 'id' | 'username' | 'contacts'>;

/** Which users are wanted next, in the order of their ids. */
export interface NextUsers {
  /** Undefined: everybody. */
  readonly among: readonly string[] | undefined;
  /** Undefined: from the first on. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Reads and changes many users, some at a time. */
export interface UserLots {
  /** Those who exist; following the last id visits each user once. */
  next(wanted: NextUsers): Promise<readonly ReachableUser[]>;
  /**
   * Lets `work` make a new state of each of these users who exists, in the order of their ids, while nobody else changes
   * configuration: all are written, or none. `work` may be called several times and must have no effect of its own; users who
   * come back the same are not written.
   */
  changeAll<T>(
    ids: readonly string[],
    work: (user: User) => Pick<UserChange<T>, 'user' | 'answer'>,
  ): Promise<readonly T[]>;
}

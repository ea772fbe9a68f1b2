import type { User } from '../domain/user.ts';
import type { UserChange } from './user-store.ts';

/** Keeps users, for whoever has something to do to many of them. */
export interface UserLots {
  /** The next ids after that one, all of them from the first on when it is undefined: at most `limit`, each once, in their order. */
  idsAfter(id: string | undefined, limit: number): Promise<readonly string[]>;
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

import { withNextVersion, type User } from '../domain/user.ts';
import type { NextUsers, ReachableUser, UserLots } from '../ports/user-lots.ts';
import type { UserChange } from '../ports/user-store.ts';
import type { MemoryDirectory } from './memory-directory.ts';

export class MemoryUserLots implements UserLots {
  readonly #directory: MemoryDirectory;

  constructor(directory: MemoryDirectory) {
    this.#directory = directory;
  }

  next({ among, after, limit }: NextUsers): Promise<readonly ReachableUser[]> {
    const wanted = [...this.#directory.users.values()].filter(
      ({ id }) => (after === undefined || id > after) && (among === undefined || among.includes(id)),
    );
    const byId = wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return Promise.resolve(byId.slice(0, limit).map(({ id, username, contacts }) => ({ id, username, contacts })));
  }

  changeAll<T>(
    ids: readonly string[],
    work: (user: User) => Pick<UserChange<T>, 'user' | 'answer'>,
  ): Promise<readonly T[]> {
    // What `work` throws is a rejection, and nobody is changed.
    return Promise.resolve().then(() => {
      const present = [...new Set(ids)].sort().flatMap((id) => this.#directory.users.get(id) ?? []);
      const changes = present.map((user) => ({ user, change: work(user) }));
      for (const { user, change } of changes)
        if (change.user !== user) this.#directory.users.set(user.id, withNextVersion(change.user, user));
      return changes.map(({ change }) => change.answer);
    });
  }
}

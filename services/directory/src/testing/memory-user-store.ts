import type { NoticeCommand } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import { unknownRole } from '../application/not-found.ts';
import { isFixed, isOwner, type Role } from '../domain/role.ts';
import { matches } from '../domain/user-search.ts';
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
import type { MemoryDirectory } from './memory-directory.ts';

export class MemoryUserStore implements UserStore {
  readonly #directory: MemoryDirectory;

  constructor(directory: MemoryDirectory) {
    this.#directory = directory;
  }

  async insert(user: User, notices: readonly NoticeCommand[] = []): Promise<void> {
    await Promise.resolve();
    if (this.#match({ username: user.username }) !== undefined)
      throw new ConflictError(`User with username [${user.username}] already exists.`);
    this.#directory.users.set(user.id, { ...user, role: this.#present(user.role) });
    this.#directory.notices.push(...notices);
  }

  find(reference: UserReference): Promise<User | undefined> {
    return Promise.resolve(this.#match(reference));
  }

  withAny(key: 'id' | 'username', values: readonly string[]): Promise<readonly User[]> {
    return Promise.resolve([...this.#directory.users.values()].filter((user) => values.includes(user[key])));
  }

  names(references: readonly UserReference[]): Promise<readonly UserName[]> {
    const found = references.map((reference) => this.#match(reference)).filter((user) => user !== undefined);
    return Promise.resolve([...new Map(found.map(({ id, username }) => [id, { id, username }])).values()]);
  }

  list({ conditions, sort, order, offset, limit }: UserPage): Promise<UserList> {
    const sign = order === 'asc' ? 1 : -1;
    const key = (user: User) => (sort === 'insertedAt' ? user.createdAt.toISOString() : user[sort]);
    const users = [...this.#directory.users.values()]
      .filter((user) => matches(user, conditions))
      .sort((a, b) => sign * compare(key(a), key(b)) || sign * compare(a.id, b.id));
    return Promise.resolve({ users: users.slice(offset, offset + limit), total: users.length });
  }

  count(): Promise<number> {
    return Promise.resolve(this.#directory.users.size);
  }

  teamsOf(id: string): Promise<readonly TeamName[]> {
    const teams = [...this.#directory.teams.values()].map(({ team }) => team);
    return Promise.resolve(
      teams
        .filter(({ phase, members }) => phase === 'active' && members.some(({ userId }) => userId === id))
        .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || compare(a.id, b.id))
        .map((team) => ({ id: team.id, name: team.name })),
    );
  }

  change<T>(
    reference: UserReference,
    work: (user: User, standing: UserStanding) => UserChange<T>,
  ): Promise<{ answer: T } | undefined> {
    // What `work` throws is a rejection.
    return Promise.resolve().then(() => {
      const user = this.#match(reference);
      if (user === undefined) return undefined;
      const changed = work(user, { lastOwner: this.#isLastOwner(user) });
      if (changed.user !== user) {
        const { role } = changed.user;
        const next = role.id === user.role.id ? changed.user : { ...changed.user, role: this.#present(role) };
        this.#directory.users.set(user.id, withNextVersion(next, user));
      }
      this.#directory.notices.push(...(changed.notices ?? []));
      return { answer: changed.answer };
    });
  }

  remove(id: string): Promise<UserRemoval> {
    return Promise.resolve(this.#remove(id));
  }

  hasOwner(): Promise<boolean> {
    return Promise.resolve(this.#owners().length > 0);
  }

  #remove(id: string): UserRemoval {
    const user = this.#directory.users.get(id);
    if (user === undefined) return { kind: 'missing' };
    const teamNames = [...this.#directory.teams.values()]
      .filter(({ team }) => team.phase !== 'deleting' && team.members.some(({ userId }) => userId === id))
      .map(({ team }) => team.name);
    if (teamNames.length > 0) return { kind: 'member', teamNames };
    if (this.#isLastOwner(user)) return { kind: 'last-owner' };
    this.#directory.users.delete(id);
    return { kind: 'removed' };
  }

  #present(role: Role): Role {
    if (isFixed(role)) return role;
    const found = this.#directory.roles.get(role.id);
    if (found === undefined) throw unknownRole({ name: role.name });
    return { id: found.id, name: found.name };
  }

  #match(reference: UserReference): User | undefined {
    if ('id' in reference) return this.#directory.users.get(reference.id);
    return [...this.#directory.users.values()].find(({ username }) => username === reference.username);
  }

  #isLastOwner({ role }: User): boolean {
    return isOwner(role) && this.#owners().length === 1;
  }

  #owners(): readonly User[] {
    return [...this.#directory.users.values()].filter(({ role }) => isOwner(role));
  }
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

import type { RoleReference } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import type { CustomRole } from '../domain/role.ts';
import type { RoleRemoval, RoleStore } from '../ports/role-store.ts';
import type { MemoryDirectory } from './memory-directory.ts';

export class MemoryRoleStore implements RoleStore {
  readonly #directory: MemoryDirectory;

  constructor(directory: MemoryDirectory) {
    this.#directory = directory;
  }

  async insert(role: CustomRole): Promise<void> {
    await Promise.resolve();
    this.#refuseTaken(role);
    this.#directory.roles.set(role.id, role);
  }

  find(reference: RoleReference): Promise<CustomRole | undefined> {
    return Promise.resolve(this.#match(reference));
  }

  list(): Promise<readonly CustomRole[]> {
    const byCreation = (a: CustomRole, b: CustomRole) =>
      a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
    return Promise.resolve([...this.#directory.roles.values()].sort(byCreation));
  }

  async change(reference: RoleReference, work: (role: CustomRole) => CustomRole): Promise<CustomRole | undefined> {
    await Promise.resolve();
    const role = this.#match(reference);
    if (role === undefined) return undefined;
    const next = { ...work(role), id: role.id };
    this.#refuseTaken(next);
    this.#directory.roles.set(next.id, next);
    for (const user of this.#directory.users.values()) {
      if (user.role.id === next.id)
        this.#directory.users.set(user.id, { ...user, role: { id: next.id, name: next.name } });
    }
    return next;
  }

  remove(reference: RoleReference): Promise<RoleRemoval> {
    const role = this.#match(reference);
    if (role === undefined) return Promise.resolve({ kind: 'missing' });
    const holders = [...this.#directory.users.values()].filter((user) => user.role.id === role.id);
    const usernames = holders.map(({ username }) => username).slice(0, 5);
    if (holders.length > 0) return Promise.resolve({ kind: 'held', holders: holders.length, usernames });
    this.#directory.roles.delete(role.id);
    return Promise.resolve({ kind: 'removed' });
  }

  #match(reference: RoleReference): CustomRole | undefined {
    if ('id' in reference) return this.#directory.roles.get(reference.id);
    return [...this.#directory.roles.values()].find(({ name }) => name === reference.name);
  }

  #refuseTaken({ id, name }: CustomRole): void {
    const namesake = this.#match({ name });
    if (namesake !== undefined && namesake.id !== id)
      throw new ConflictError(`Role with name [${name}] already exists.`);
  }
}

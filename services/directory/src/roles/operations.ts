import { isDeepStrictEqual } from 'node:util';
import type { RoleBody, RoleReference } from '@tocsin/api';
import { type Clock, ConflictError, InUseError, type Put } from '@tocsin/core';
import { firstVersion, nextVersion } from '@tocsin/events';
import { type CustomRole, fixedRole, type Role, unknownRole } from './role.ts';
import type { ListedRole, RoleStore } from './store.ts';

export interface RolesDependencies {
  readonly roles: RoleStore;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Creates, reads, changes and deletes custom roles (wire facts 5). The fixed ones are not among them (K5). */
export class Roles {
  readonly #ports: RolesDependencies;

  constructor(ports: RolesDependencies) {
    this.#ports = ports;
  }

  /** @throws ConflictError when the name is taken, by a fixed role too. */
  async create(body: RoleBody): Promise<CustomRole> {
    refuseFixedName(body);
    const role = this.#made(this.#ports.newId(), body);
    await this.#ports.roles.insert(role);
    return role;
  }

  /** @throws NotFoundError when there is no such custom role. */
  async get(reference: RoleReference): Promise<CustomRole> {
    return found(await this.#ports.roles.find(reference), reference);
  }

  /** By creation. */
  async list(): Promise<readonly ListedRole[]> {
    return this.#ports.roles.list();
  }

  /**
   * Replaces everything but the id. Users with the role have its new name at once. Sessions have the rights of the role that it now
   * extends as soon as gateways have read it (K11).
   *
   * @throws NotFoundError when there is no such custom role.
   * @throws ConflictError when the name is taken, by a fixed role too.
   */
  async replace(reference: RoleReference, body: RoleBody): Promise<CustomRole> {
    refuseFixedName(body);
    return found(await this.#ports.roles.change(reference, (role) => replaced(role, body)), reference);
  }

  /**
   * Creates or replaces the role that has this id (I1).
   *
   * @throws ConflictError when the name is taken, by a fixed role too.
   */
  async put(id: string, body: RoleBody): Promise<Put<CustomRole>> {
    refuseFixedName(body);
    return this.#ports.roles.put(id, (present) => (present ? replaced(present, body) : this.#made(id, body)));
  }

  /**
   * @throws NotFoundError when there is no such custom role.
   * @throws InUseError when a user has it.
   */
  async remove(reference: RoleReference): Promise<void> {
    const removal = await this.#ports.roles.remove(reference);
    if (removal.kind === 'missing') throw unknownRole(reference);
    if (removal.kind === 'removed') return;
    const { usernames, users } = removal;
    const others = users > usernames.length ? ` and ${users - usernames.length} more` : '';
    throw new InUseError(`The role is still in use. These users have it: ${usernames.join(', ')}${others}.`);
  }

  /**
   * The role that a body names for a user, a fixed one or a custom one.
   *
   * @throws NotFoundError when there is no such role.
   */
  async named(reference: RoleReference): Promise<Role> {
    const fixed = fixedRole('name' in reference ? reference.name : reference.id);
    if (fixed !== undefined) return fixed;
    const { id, name } = await this.get(reference);
    return { id, name };
  }

  #made(id: string, body: RoleBody): CustomRole {
    const createdAt = this.#ports.clock.now();
    return { id, ...body, createdAt, version: firstVersion(createdAt) };
  }
}

/** The role with what the body says; the same object where nothing differs (E10). */
function replaced(role: CustomRole, body: RoleBody): CustomRole {
  const next = { ...role, ...body };
  return isDeepStrictEqual(next, role) ? role : { ...next, version: nextVersion(role.version) };
}

function found(role: CustomRole | undefined, reference: RoleReference): CustomRole {
  if (role === undefined) throw unknownRole(reference);
  return role;
}

function refuseFixedName({ name }: RoleBody): void {
  if (fixedRole(name) !== undefined) throw new ConflictError(`Role with name [${name}] already exists.`);
}

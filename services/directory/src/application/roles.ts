import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@tocsin/clock';
import type { RoleBody, RoleReference } from '@tocsin/contracts';
import { ConflictError, InUseError } from '@tocsin/errors';
import { fixedRole, type CustomRole, type Role } from '../domain/role.ts';
import type { RoleStore } from '../ports/role-store.ts';
import { unknownRole } from './not-found.ts';

export interface RolesDependencies {
  readonly roles: RoleStore;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Creates, reads, changes and deletes custom roles (wire facts 5). Nobody lists or changes the fixed ones (K5). */
export class Roles {
  readonly #ports: RolesDependencies;

  constructor(ports: RolesDependencies) {
    this.#ports = ports;
  }

  /** @throws ConflictError when the name is taken, by a fixed role too. */
  async create(body: RoleBody): Promise<CustomRole> {
    refuseFixedName(body);
    const role = { id: this.#ports.newId(), ...body, createdAt: this.#ports.clock.now() };
    await this.#ports.roles.insert(role);
    return role;
  }

  /** @throws NotFoundError when there is no such custom role. */
  async get(reference: RoleReference): Promise<CustomRole> {
    return found(await this.#ports.roles.find(reference), reference);
  }

  /** By creation. */
  async list(): Promise<readonly CustomRole[]> {
    return this.#ports.roles.list();
  }

  /**
   * Replaces everything but the id. Users who have the role have it by its new name at once.
   *
   * @throws NotFoundError when there is no such custom role.
   * @throws ConflictError when the name is taken, by a fixed role too.
   */
  async replace(reference: RoleReference, body: RoleBody): Promise<CustomRole> {
    refuseFixedName(body);
    const replaced = await this.#ports.roles.change(reference, (role) => {
      const next = { ...role, ...body };
      return isDeepStrictEqual(next, role) ? role : next;
    });
    return found(replaced, reference);
  }

  /**
   * @throws NotFoundError when there is no such custom role.
   * @throws InUseError when a user has it.
   */
  async remove(reference: RoleReference): Promise<void> {
    const removal = await this.#ports.roles.remove(reference);
    if (removal.kind === 'missing') throw unknownRole(reference);
    if (removal.kind === 'removed') return;
    const { usernames, holders } = removal;
    const others = holders > usernames.length ? ` and ${holders - usernames.length} more` : '';
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
}

function found(role: CustomRole | undefined, reference: RoleReference): CustomRole {
  if (role === undefined) throw unknownRole(reference);
  return role;
}

function refuseFixedName({ name }: RoleBody): void {
  if (fixedRole(name) !== undefined) throw new ConflictError(`Role with name [${name}] already exists.`);
}

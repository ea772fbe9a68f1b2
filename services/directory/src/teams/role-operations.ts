import { type CreateTeamRoleBody, MAX_TEAM_ROLES, type UpdateTeamRoleBody } from '@tocsin/api';
import { ConflictError, InvalidError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import { doesNotExist, type Reference } from '../references/reference.ts';
import type { TeamChanges } from './change-operations.ts';
import { logText, roleChanges } from './team-log.ts';
import { editRole, findRole, withRole } from './team-role.ts';
import type { Team, TeamRole } from './team.ts';

/** The roles that a member can have in every team (part 2, 2.1). No other role has such a name, in upper or lower case. */
const FIXED = ['user', 'admin'];

export interface TeamRolesDependencies {
  readonly changes: TeamChanges;
  readonly newId: () => string;
}

/** Roles inside teams (wire facts 5). Each method throws NotFoundError or ForbiddenError of the team as `TeamChanges`. */
export class TeamRoles {
  readonly #ports: TeamRolesDependencies;

  constructor(ports: TeamRolesDependencies) {
    this.#ports = ports;
  }

  /** By creation. */
  async list(team: Reference, caller: Principal): Promise<readonly TeamRole[]> {
    return (await this.#ports.changes.present(team, caller)).roles;
  }

  /** @throws NotFoundError when there is no such role. */
  async get(team: Reference, reference: Reference, caller: Principal): Promise<TeamRole> {
    return roleOf(await this.#ports.changes.present(team, caller), reference);
  }

  /**
   * @throws ConflictError when the name is taken.
   * @throws InvalidError when the team has as many roles as it can have.
   */
  async create(team: Reference, { name, rights }: CreateTeamRoleBody, caller: Principal): Promise<TeamRole> {
    const role: TeamRole = { id: this.#ports.newId(), name, rights: rights ?? [] };
    return this.#ports.changes.run(team, caller, (present) => {
      refuseTaken(present, role);
      if (present.roles.length >= MAX_TEAM_ROLES)
        throw InvalidError.about('roles', `Team [${present.name}] has ${MAX_TEAM_ROLES} roles, and can not have more.`);
      const next = { ...present, roles: [...present.roles, role] };
      return { team: next, sentences: [logText.roleCreated(name)], answer: role };
    });
  }

  /**
   * @throws NotFoundError when there is no such role.
   * @throws ConflictError when the new name is taken.
   */
  async update(team: Reference, reference: Reference, body: UpdateTeamRoleBody, caller: Principal): Promise<TeamRole> {
    return this.#ports.changes.run(team, caller, (present) => {
      const role = roleOf(present, reference);
      const next = editRole(role, body);
      refuseTaken(present, next);
      return { team: withRole(present, next), sentences: roleChanges(role, next), answer: next };
    });
  }

  /** @throws NotFoundError when there is no such role. */
  async remove(team: Reference, reference: Reference, caller: Principal): Promise<void> {
    return this.#ports.changes.run(team, caller, (present) => {
      const { id, name } = roleOf(present, reference);
      const next = { ...present, roles: present.roles.filter((role) => role.id !== id) };
      return { team: next, sentences: [logText.roleDeleted(name)], answer: undefined };
    });
  }
}

function roleOf(team: Team, reference: Reference): TeamRole {
  const role = findRole(team, reference);
  if (role !== undefined) return role;
  throw doesNotExist('Team role', reference);
}

/** @throws ConflictError when a fixed role, or another one of `roles`, has the name. */
export function refuseTaken({ roles }: Pick<Team, 'roles'>, { id, name }: TeamRole): void {
  if (FIXED.includes(name.trim().toLowerCase()) || roles.some((role) => role.name === name && role.id !== id))
    throw new ConflictError(`Team role with name [${name}] already exists.`);
}

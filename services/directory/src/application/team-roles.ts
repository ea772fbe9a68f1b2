import type { CreateTeamRoleBody, UpdateTeamRoleBody } from '@tocsin/contracts';
import { ConflictError, InvalidError } from '@tocsin/errors';
import type { Team, TeamReference, TeamRole } from '../domain/team.ts';
import { told } from '../domain/team-log.ts';
import { editedRole, findRole, withRole, type TeamRoleReference } from '../domain/team-role.ts';
import { unknownTeamRole } from './not-found.ts';
import type { TeamCaller, TeamChanges } from './team-changes.ts';

/** The most roles that a team can have beside its fixed ones. */
const MAX_ROLES = 100;

/** The roles that a member can have in every team (part 2, 2.1): no other role is called so, however it is written. */
const FIXED = ['user', 'admin'];

export interface TeamRolesDependencies {
  readonly changes: TeamChanges;
  readonly newId: () => string;
}

/** Roles inside teams (wire facts 5). Each method throws NotFoundError or ForbiddenError of the team as `TeamChanges`. */
export class TeamRoles {
  readonly #changes: TeamChanges;
  readonly #newId: () => string;

  constructor({ changes, newId }: TeamRolesDependencies) {
    this.#changes = changes;
    this.#newId = newId;
  }

  /** By creation. */
  async list(team: TeamReference, caller: TeamCaller): Promise<readonly TeamRole[]> {
    return (await this.#changes.present(team, caller)).roles;
  }

  /** @throws NotFoundError when there is no such role. */
  async get(team: TeamReference, reference: TeamRoleReference, caller: TeamCaller): Promise<TeamRole> {
    return roleOf(await this.#changes.present(team, caller), reference);
  }

  /**
   * @throws ConflictError when the name is taken.
   * @throws InvalidError when the team has as many roles as it can have.
   */
  async create(team: TeamReference, { name, rights }: CreateTeamRoleBody, caller: TeamCaller): Promise<TeamRole> {
    const role: TeamRole = { id: this.#newId(), name, rights: rights ?? [] };
    return this.#changes.run(team, caller, (present) => {
      refuseTaken(present, role);
      if (present.roles.length >= MAX_ROLES)
        throw new InvalidError(`Team [${present.name}] has ${MAX_ROLES} roles, and can not have more.`);
      const next = { ...present, roles: [...present.roles, role] };
      return { team: next, sentences: [told.roleCreated(name)], answer: role };
    });
  }

  /**
   * @throws NotFoundError when there is no such role.
   * @throws ConflictError when the new name is taken.
   */
  async update(
    team: TeamReference,
    reference: TeamRoleReference,
    body: UpdateTeamRoleBody,
    caller: TeamCaller,
  ): Promise<TeamRole> {
    return this.#changes.run(team, caller, (present) => {
      const role = roleOf(present, reference);
      const next = editedRole(role, body);
      refuseTaken(present, next);
      const sentences = [
        ...(next.name === role.name ? [] : [told.roleRenamed(role.name, next.name)]),
        ...(next.rights === role.rights ? [] : [told.roleRightsChanged(next.name)]),
      ];
      return { team: withRole(present, next), sentences, answer: next };
    });
  }

  /** @throws NotFoundError when there is no such role. */
  async remove(team: TeamReference, reference: TeamRoleReference, caller: TeamCaller): Promise<void> {
    return this.#changes.run(team, caller, (present) => {
      const { id, name } = roleOf(present, reference);
      const next = { ...present, roles: present.roles.filter((role) => role.id !== id) };
      return { team: next, sentences: [told.roleDeleted(name)], answer: undefined };
    });
  }
}

function roleOf(team: Team, reference: TeamRoleReference): TeamRole {
  const role = findRole(team, reference);
  if (role !== undefined) return role;
  throw unknownTeamRole(reference);
}

function refuseTaken({ roles }: Team, { id, name }: TeamRole): void {
  if (FIXED.includes(name.trim().toLowerCase()) || roles.some((role) => role.name === name && role.id !== id))
    throw new ConflictError(`Team role with name [${name}] already exists.`);
}

import type { UpdateTeamBody } from '@tocsin/contracts';
import type { Reference } from '../domain/reference.ts';
import { edited, type Team } from '../domain/team.ts';
import { differences } from '../domain/team-log.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { UserStore } from '../ports/user-store.ts';
import { memberNames } from './member-names.ts';
import { namedMembers } from './named-members.ts';
import type { TeamCaller, TeamChanges } from './team-changes.ts';

export interface UpdateTeamDependencies {
  readonly users: UserStore;
  readonly scheduling: Scheduling;
  readonly changes: TeamChanges;
}

/** Changes name, description and members of a team. Its schedule and escalation keep their names. */
export class UpdateTeam {
  readonly #ports: UpdateTeamDependencies;

  constructor(ports: UpdateTeamDependencies) {
    this.#ports = ports;
  }

  /**
   * @returns the team as it is now.
   * @throws NotFoundError when there is no such team, or a member does not exist.
   * @throws ForbiddenError when the caller is bound to another team.
   * @throws ConflictError when the name is taken.
   */
  async run(reference: Reference, body: UpdateTeamBody, caller: TeamCaller): Promise<Pick<Team, 'id' | 'name'>> {
    const { changes, users } = this.#ports;
    const present = await changes.present(reference, caller);
    const wanted = body.members === undefined ? undefined : await namedMembers(users, body.members);
    const members = wanted?.members;
    const names = await memberNames(this.#ports, present, members ?? present.members, wanted?.usernames ?? new Map());
    return changes.run({ id: present.id }, caller, (team) => {
      const next = edited(team, { name: body.name, description: body.description, members });
      return { team: next, sentences: differences(team, next, names), answer: { id: next.id, name: next.name } };
    });
  }
}

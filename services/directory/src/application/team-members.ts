import { DEFAULT_LIMIT, type AddTeamMemberBody } from '@tocsin/contracts';
import { InvalidError, NotFoundError } from '@tocsin/errors';
import type { Reference } from '../domain/reference.ts';
import { edited, withMember, type Member, type Team } from '../domain/team.ts';
import { differences, type MemberNames } from '../domain/team-log.ts';
import { userReference } from '../domain/user.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { UserStore } from '../ports/user-store.ts';
import { memberNames } from './member-names.ts';
import { namedMembers } from './named-members.ts';
import { unknownUser } from './not-found.ts';
import type { TeamCaller, TeamChanges } from './team-changes.ts';

export interface TeamMembersDependencies {
  readonly users: UserStore;
  readonly scheduling: Scheduling;
  readonly changes: TeamChanges;
}

/** Members of teams, one at a time (part 2, 4.1). */
export class TeamMembers {
  readonly #ports: TeamMembersDependencies;

  constructor(ports: TeamMembersDependencies) {
    this.#ports = ports;
  }

  /**
   * Adds the user, or gives a member the role; without one they are a user.
   *
   * @throws NotFoundError when there is no such team or user.
   * @throws ForbiddenError when the caller is bound to another team.
   * @throws InvalidError when the team has as many members as it can have.
   */
  async add(reference: Reference, body: AddTeamMemberBody, caller: TeamCaller): Promise<Pick<Team, 'id' | 'name'>> {
    const { changes, users } = this.#ports;
    const { id } = await changes.present(reference, caller);
    const { members, usernames } = await namedMembers(users, [body]);
    const names: MemberNames = { usernameOf: (userId) => usernames.get(userId) ?? userId, rotationsOf: () => [] };
    return this.#change({ id }, caller, names, (present) => {
      const next = members.reduce(withMember, present);
      if (next.length > DEFAULT_LIMIT)
        throw InvalidError.ofFields({ members: `should have at most ${DEFAULT_LIMIT} items` });
      return next;
    });
  }

  /**
   * Removes the user, who stays in the rotations in which they are.
   *
   * @throws NotFoundError when there is no such team or user, or they are not a member.
   * @throws ForbiddenError when the caller is bound to another team.
   */
  async remove(reference: Reference, identifier: string, caller: TeamCaller): Promise<Pick<Team, 'id' | 'name'>> {
    const { changes, users } = this.#ports;
    const team = await changes.present(reference, caller);
    const [user] = await users.names([userReference(identifier)]);
    if (user === undefined) throw unknownUser(identifier);
    const without = (members: readonly Member[]) => members.filter(({ userId }) => userId !== user.id);
    const names = await memberNames(this.#ports, team, without(team.members), new Map());
    return this.#change({ id: team.id }, caller, names, (present) => {
      const next = without(present);
      if (next.length < present.length) return next;
      throw new NotFoundError(`User [${user.username}] is not a member of team [${team.name}].`);
    });
  }

  async #change(
    reference: Reference,
    caller: TeamCaller,
    names: MemberNames,
    work: (members: readonly Member[]) => readonly Member[],
  ): Promise<Pick<Team, 'id' | 'name'>> {
    return this.#ports.changes.run(reference, caller, (team) => {
      const next = edited(team, { members: work(team.members) });
      return { team: next, sentences: differences(team, next, names), answer: { id: team.id, name: team.name } };
    });
  }
}

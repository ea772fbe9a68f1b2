import type { AddTeamMemberBody } from '@tocsin/api';
import { DEFAULT_LIMIT } from '@tocsin/events';
import { InvalidError, NotFoundError, UnavailableError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { Reference } from '../references/reference.ts';
import type { Participation, Scheduling } from '../schedules/client.ts';
import { unknownUser, type UserName, userReference, type UserReference } from '../users/user.ts';
import type { TeamChanges } from './change-operations.ts';
import { differences, type MemberNames } from './team-log.ts';
import { editTeam, type Member, type Team, withMember, withoutRepeats } from './team.ts';

/** The users that exist, in no order. */
export type UserNames = (references: readonly UserReference[]) => Promise<readonly UserName[]>;

export interface TeamMembersDependencies {
  readonly userNames: UserNames;
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
  async add(reference: Reference, body: AddTeamMemberBody, caller: Principal): Promise<Pick<Team, 'id' | 'name'>> {
    const { changes, userNames } = this.#ports;
    const { id } = await changes.changeable(reference, caller);
    const { members, usernames } = await namedMembers(userNames, [body]);
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
  async remove(reference: Reference, identifier: string, caller: Principal): Promise<Pick<Team, 'id' | 'name'>> {
    const { changes, userNames } = this.#ports;
    const team = await changes.changeable(reference, caller);
    const [user] = await userNames([userReference(identifier)]);
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
    caller: Principal,
    names: MemberNames,
    work: (members: readonly Member[]) => readonly Member[],
  ): Promise<Pick<Team, 'id' | 'name'>> {
    return this.#ports.changes.run(reference, caller, (team) => {
      const next = editTeam(team, { members: work(team.members) });
      return { team: next, sentences: differences(team, next, names), answer: { id: team.id, name: team.name } };
    });
  }
}

/** Members as a team keeps them, and the user name behind each id. */
export interface NamedMembers {
  readonly members: readonly Member[];
  readonly usernames: ReadonlyMap<string, string>;
}

/**
 * The members that a body names by id or user name, each user once; without a role they are users.
 *
 * @throws NotFoundError that names the first user who does not exist.
 */
export async function namedMembers(userNames: UserNames, written: readonly AddTeamMemberBody[]): Promise<NamedMembers> {
  const references = written.map(({ user }): UserReference =>
    user.id === undefined ? { username: user.username ?? '' } : { id: user.id },
  );
  const known = await userNames(references);
  const idOf = new Map(known.flatMap(({ id, username }) => [[id, id] as const, [username, id] as const]));
  const members = withoutRepeats(
    written.map(({ user, role }) => {
      const named = user.id ?? user.username ?? '';
      const userId = idOf.get(named);
      if (userId === undefined) throw unknownUser(named);
      return { userId, role: role ?? 'user' };
    }),
  );
  return { members, usernames: new Map(known.map(({ id, username }) => [id, username])) };
}

export interface MemberNamesDependencies {
  readonly userNames: UserNames;
  readonly scheduling: Pick<Scheduling, 'participationsIn'>;
}

/**
 * The names that the history of `team` mentions when its members become `next`; `known` are those of the new members. The rotations of
 * former members are left out where scheduling does not answer.
 */
export async function memberNames(
  { userNames, scheduling }: MemberNamesDependencies,
  { id, members }: Pick<Team, 'id' | 'members'>,
  next: readonly Member[],
  known: ReadonlyMap<string, string>,
): Promise<MemberNames> {
  const kept = new Set(next.map(({ userId }) => userId));
  const leaving = members.filter(({ userId }) => !kept.has(userId));
  const names = await userNames(leaving.map(({ userId }) => ({ id: userId })));
  const usernames = new Map([...known, ...names.map(({ id: userId, username }) => [userId, username] as const)]);
  const found = leaving.length === 0 ? [] : await participationsIn(scheduling, id);
  return {
    // The name of a user who became a member meanwhile is unknown.
    usernameOf: (userId) => usernames.get(userId) ?? userId,
    rotationsOf: (userId) => found.filter((each) => each.userId === userId).map(describeRotation),
  };
}

async function participationsIn(
  scheduling: Pick<Scheduling, 'participationsIn'>,
  teamId: string,
): Promise<readonly Participation[]> {
  try {
    return await scheduling.participationsIn(teamId);
  } catch (error) {
    if (error instanceof UnavailableError) return [];
    throw error;
  }
}

const describeRotation = ({ rotation, schedule }: Participation): string =>
  `rotation [${rotation}] of schedule [${schedule}]`;

import { UnavailableError } from '@tocsin/errors';
import type { Member, Team } from '../domain/team.ts';
import type { MemberNames } from '../domain/team-log.ts';
import type { Scheduling, Participation } from '../ports/scheduling.ts';
import type { UserStore } from '../ports/user-store.ts';

export interface MemberNamesDependencies {
  readonly users: Pick<UserStore, 'names'>;
  readonly scheduling: Pick<Scheduling, 'participationsIn'>;
}

/**
 * The names that the history of `team` mentions when its members become `next`; `known` are those of the new members. The rotations
 * of those who leave are best effort: they are left out where scheduling cannot be asked.
 */
export async function memberNames(
  { users, scheduling }: MemberNamesDependencies,
  { id, members }: Pick<Team, 'id' | 'members'>,
  next: readonly Member[],
  known: ReadonlyMap<string, string>,
): Promise<MemberNames> {
  const kept = new Set(next.map(({ userId }) => userId));
  const leaving = members.filter(({ userId }) => !kept.has(userId));
  const names = await users.names(leaving.map(({ userId }) => ({ id: userId })));
  const usernames = new Map([...known, ...names.map(({ id: userId, username }) => [userId, username] as const)]);
  const found = leaving.length === 0 ? [] : await participationsIn(scheduling, id);
  return {
    // Somebody who became a member meanwhile has no known name.
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

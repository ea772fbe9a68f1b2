import { UnavailableError } from '@tocsin/errors';
import type { Member, Team } from '../domain/team.ts';
import type { MemberNames } from '../domain/team-log.ts';
import type { Scheduling, Turn } from '../ports/scheduling.ts';
import type { UserStore } from '../ports/user-store.ts';

export interface MemberFactsDependencies {
  readonly users: Pick<UserStore, 'names'>;
  readonly scheduling: Pick<Scheduling, 'turnsIn'>;
}

/**
 * What the history of `team` tells of those who leave when its members become `next`, and of those who come, whose names
 * are `known`. The turns of who leaves are best effort: where scheduling cannot be asked they go unmentioned.
 */
export async function memberFacts(
  { users, scheduling }: MemberFactsDependencies,
  { id, members }: Pick<Team, 'id' | 'members'>,
  next: readonly Member[],
  known: ReadonlyMap<string, string>,
): Promise<MemberNames> {
  const kept = new Set(next.map(({ userId }) => userId));
  const leaving = members.filter(({ userId }) => !kept.has(userId));
  const names = await users.names(leaving.map(({ userId }) => ({ id: userId })));
  const usernames = new Map([...known, ...names.map(({ id: userId, username }) => [userId, username] as const)]);
  const turns = leaving.length === 0 ? [] : await turnsIn(scheduling, id);
  return {
    // A member who came meanwhile, whom nobody named.
    usernameOf: (userId) => usernames.get(userId) ?? userId,
    turnsOf: (userId) => turns.filter((turn) => turn.userId === userId).map(describeTurn),
  };
}

async function turnsIn(scheduling: Pick<Scheduling, 'turnsIn'>, teamId: string): Promise<readonly Turn[]> {
  try {
    return await scheduling.turnsIn(teamId);
  } catch (error) {
    if (error instanceof UnavailableError) return [];
    throw error;
  }
}

const describeTurn = ({ rotation, schedule }: Turn): string => `rotation [${rotation}] of schedule [${schedule}]`;

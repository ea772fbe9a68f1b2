import type { AddTeamMemberBody } from '@tocsin/contracts';
import { withoutRepeats, type Member } from '../domain/team.ts';
import type { UserReference } from '../domain/user.ts';
import type { UserStore } from '../ports/user-store.ts';
import { unknownUser } from './not-found.ts';

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
export async function namedMembers(
  users: Pick<UserStore, 'names'>,
  written: readonly AddTeamMemberBody[],
): Promise<NamedMembers> {
  const references = written.map(({ user }): UserReference =>
    user.id === undefined ? { username: user.username ?? '' } : { id: user.id },
  );
  const known = await users.names(references);
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

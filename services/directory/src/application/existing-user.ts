import { userReference, type User } from '../domain/user.ts';
import type { UserChange, UserStanding, UserStore } from '../ports/user-store.ts';
import { unknownUser } from './not-found.ts';

/**
 * The user whose id or user name is `identifier`.
 *
 * @throws NotFoundError when there is none.
 */
export async function existingUser(users: UserStore, identifier: string): Promise<User> {
  const user = await users.find(userReference(identifier));
  if (user === undefined) throw unknownUser(identifier);
  return user;
}

/**
 * Changes the user whose id or user name is `identifier`, as `UserStore.change`; resolves to the answer of `work`.
 *
 * @throws NotFoundError when there is none.
 */
export async function changeUser<T>(
  users: UserStore,
  identifier: string,
  work: (user: User, standing: UserStanding) => UserChange<T>,
): Promise<T> {
  const changed = await users.change(userReference(identifier), work);
  if (changed === undefined) throw unknownUser(identifier);
  return changed.answer;
}

import type { UserState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';

/** The users as the notifier knows them. */
export interface Users {
  get(id: string): UserState | undefined;
  /** Whether the user is known to be deleted; false of a user that was never known here. */
  isDeleted(id: string): boolean;
  /** Asks the owner for one that is not known yet. @throws UnavailableError when the owner cannot be asked. */
  fetch(index: 'id', value: string): Promise<UserState | undefined>;
}

/**
 * Asks the owner for users that are not known here: they may be new. Resolves with those that cannot be looked up now.
 */
export async function fetchMissing(users: Users, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const missing = [...new Set(userIds)].filter((userId) => users.get(userId) === undefined);
  const away = new Set<string>();
  await Promise.all(
    missing.map(async (userId) => {
      try {
        await users.fetch('id', userId);
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        away.add(userId);
      }
    }),
  );
  return away;
}

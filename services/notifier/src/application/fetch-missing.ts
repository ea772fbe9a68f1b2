import { UnavailableError } from '@tocsin/errors';
import type { Users } from '../ports/users.ts';

/**
 * Asks the owner for users that are not known here: they may be new. Answers those of whom nothing can be said, because the
 * owner cannot be asked.
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

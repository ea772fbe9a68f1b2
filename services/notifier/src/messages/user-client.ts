import type { UserState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { ReplicaView } from '@tocsin/kafka';

/** The part of the replica of users that notifier uses. */
export type UserReplica = Pick<ReplicaView<UserState>, 'get' | 'isDeleted' | 'fetch'>;

/**
 * Asks directory for the users that the replica lacks, because they may be new. Resolves with those that cannot be looked up now.
 */
export async function fetchMissing(users: UserReplica, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const missing = [...new Set(userIds)].filter((userId) => users.get(userId) === undefined);
  const unresolved = new Set<string>();
  await Promise.all(
    missing.map(async (userId) => {
      try {
        await users.fetch('id', userId);
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        unresolved.add(userId);
      }
    }),
  );
  return unresolved;
}

import type { Users } from '../ports/users.ts';

/**
 * Learns of users who were made a moment ago and have not reached us; the owner knows.
 *
 * @throws UnavailableError when the owner cannot be asked.
 */
export async function fetchMissing(users: Users, userIds: readonly string[]): Promise<void> {
  const missing = new Set(userIds.filter((userId) => users.get(userId) === undefined));
  await Promise.all([...missing].map((userId) => users.fetch('id', userId)));
}
